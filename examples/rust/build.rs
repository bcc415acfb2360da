// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Finds libtilewright.so, in the folder $TILEWRIGHT_LIB or with pkg-config.

use std::env;
use std::process::{exit, Command};

fn main() {
    println!("cargo:rerun-if-env-changed=TILEWRIGHT_LIB");
    let folder = env::var("TILEWRIGHT_LIB").ok().or_else(ask_pkg_config).unwrap_or_else(|| {
        eprintln!(
            "libtilewright.so is not found: set TILEWRIGHT_LIB to its folder, or PKG_CONFIG_PATH \
             to the folder of tilewright.pc"
        );
        exit(1);
    });
    println!("cargo:rustc-link-search=native={folder}");
    println!("cargo:rustc-link-lib=dylib=tilewright");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
}

fn ask_pkg_config() -> Option<String> {
    let mut question = Command::new("pkg-config");
    let answer = question.args(["--variable=libdir", "tilewright"]).output().ok()?;
    answer.status.success().then(|| String::from_utf8_lossy(&answer.stdout).trim().to_string())
}
