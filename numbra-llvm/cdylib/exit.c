/* Destructors of LLVM's and the C++ library's static objects, which this library links, would run when the process ends,
   while a thread may still be compiling. There is nothing that they must do: the library is never unloaded, it opens no
   files, and memory goes with the process. All of them are registered through this function. */

__attribute__((visibility("hidden"))) int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
    (void)function;
    (void)argument;
    (void)library;
    return 0;
}
