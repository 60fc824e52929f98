//! The `numbra` command; see `numbra_driver::command`.

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    std::process::exit(numbra_driver::command::run(&args, None));
}
