// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Prints what examples/rust says of the structs and constants of Tilewright.h as a program in C,
//! which compiles if the header says the same.

#[allow(dead_code)]
#[path = "../../../examples/rust/src/tilewright/sys.rs"]
mod sys;

use std::mem::{size_of, MaybeUninit};
use std::ptr::addr_of;

macro_rules! offset_of {
    ($name:ty, $member:ident) => {{
        let none = MaybeUninit::<$name>::uninit();
        unsafe { addr_of!((*none.as_ptr()).$member) as usize - none.as_ptr() as usize }
    }};
}

macro_rules! structs {
    ($($name:ident { $($member:ident),* })*) => { $(
        let members = [$( stringify!($member) ),*];
        // A struct that says its size may have grown.
        let relation = if members[0] == "size" { ">=" } else { "==" };
        println!("_Static_assert(sizeof({0}) {1} {2}, \"{0}\");", stringify!($name), relation, size_of::<sys::$name>());
        $( println!(
            "_Static_assert(offsetof({0}, {1}) == {2} && sizeof((({0} *)0)->{1}) == {3}, \"{0}.{1}\");",
            stringify!($name), stringify!($member).trim_start_matches("r#"),
            offset_of!(sys::$name, $member), size_of_member(|of: &sys::$name| &of.$member)); )*
    )* };
}

macro_rules! constants {
    ($($name:ident)*) => {
        $( println!("_Static_assert({0} == {1}, \"{0}\");", stringify!($name), sys::$name); )*
    };
}

fn size_of_member<S, M>(_: fn(&S) -> &M) -> usize {
    size_of::<M>()
}

fn main() {
    println!("#include \"tilewright/api/Tilewright.h\"");
    structs! {
        twPlace { file, line, column, byte }
        twParameter { size, isPointer, element, r#type, isWritten }
        twCompileOptions {
            size, device, target, optimization, debugInfo, checks, isRandom, seed, maxSteps
        }
        twArray { size, data, element, rank, shape, strides, isUninitialised, links, linkCount, name }
        twArgument { array, element, bits }
        twLaunchOptions { size, grid, threads, print, printContext }
        twFinding {
            size, kind, severity, message, text, place, rule, section, help, kernel, block,
            operation, element, array, arrayElement
        }
    }
    constants! { TW_SUCCESS TW_NO_ELEMENT TW_I32 TW_F32 TW_CPU TW_REFERENCE }
}
