// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Adds two vectors with the kernel of examples/vector_add.mlir: checked first, then compiled.
//!
//!     cargo run -- ../vector_add.mlir [EXTENT]
//!
//! EXTENT is what the kernel is told of the vectors; another than 2500 is a bug.

mod tilewright;

use std::process::ExitCode;
use std::{env, error};
use tilewright::{Argument, Module};

const COUNT: usize = 2500;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(3),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the kernel did nothing wrong.
fn run() -> Result<bool, Box<dyn error::Error>> {
    let mut words = env::args().skip(1);
    let path = words.next().ok_or("usage: vector_add KERNEL.mlir [EXTENT]")?;
    let extent: i32 = words.next().map_or(Ok(COUNT as i32), |word| word.parse())?;

    let a: Vec<f32> = (0..COUNT).map(|i| i as f32).collect();
    let b = vec![0.5; COUNT];
    let mut c = vec![0.0; COUNT];
    let grid = [3, 1, 1]; // blocks of 1024 elements

    let module = Module::read_file(&path)?;
    let findings = module.check("vector_add")?.launch(grid, arguments(&a, &b, &mut c, extent))?;
    for finding in &findings {
        let [x, y, z] = finding.block;
        println!(
            "{}, line {}: {} in tile block ({x}, {y}, {z}), at element {}",
            finding.file, finding.line, finding.rule, finding.element
        );
        println!("{}\nhelp: {}", finding.message, finding.help);
    }
    if !findings.is_empty() {
        return Ok(false);
    }

    let kernel = module.compile("vector_add")?;
    c.fill(0.0);
    // SAFETY: the same launch was checked.
    unsafe { kernel.launch(grid, arguments(&a, &b, &mut c, extent))? };
    println!("{} + {} = {}", a[COUNT - 1], b[COUNT - 1], c[COUNT - 1]);
    Ok(true)
}

/// An array arrives as three parameters: address, extent, stride.
fn arguments<'a>(a: &'a [f32], b: &'a [f32], c: &'a mut [f32], extent: i32) -> Vec<Argument<'a>> {
    use Argument::{In, Out, I32};
    vec![In(a), I32(extent), I32(1), In(b), I32(extent), I32(1), Out(c), I32(extent), I32(1)]
}
