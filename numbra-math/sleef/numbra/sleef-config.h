// In the place of the header that SLEEF's cmake writes.
#define SLEEF_VERSION_MAJOR 4
#define SLEEF_VERSION_MINOR 0
