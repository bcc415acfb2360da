// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The part of tilewright/api/Tilewright.h that the example uses, with the same names. The header
//! documents every function. test/languages/rust.test compares the structs with those of the
//! header.

#![allow(non_camel_case_types, non_snake_case)]

use std::os::raw::{c_char, c_int, c_void};

pub type twStatus = c_int;
pub const TW_SUCCESS: twStatus = 0;

pub type twElementType = u32;
pub const TW_NO_ELEMENT: twElementType = 0;
pub const TW_I32: twElementType = 4;
pub const TW_F32: twElementType = 9;

pub type twDevice = u32;
pub const TW_CPU: twDevice = 0;
pub const TW_REFERENCE: twDevice = 1;

/// Opaque types behind the library's pointers.
macro_rules! opaque {
    ($($name:ident)*) => { $(#[repr(C)] pub struct $name([u8; 0]);)* };
}
opaque!(twContext twModule twEntry twKernelHandle twLaunchHandle twDiagnostics);

/// `size` is the caller's size of a struct, by which a newer library knows which members
/// exist.
#[repr(C)]
pub struct twPlace {
    pub file: *const c_char,
    pub line: i64,
    pub column: i64,
    pub byte: i64,
}

#[repr(C)]
pub struct twParameter {
    pub size: usize,
    pub isPointer: c_int,
    pub element: twElementType,
    pub r#type: *const c_char,
    pub isWritten: c_int,
}

#[repr(C)]
pub struct twCompileOptions {
    pub size: usize,
    pub device: twDevice,
    pub target: *const c_char,
    pub optimization: u32,
    pub debugInfo: c_int,
    pub checks: *const c_char,
    pub isRandom: c_int,
    pub seed: u64,
    pub maxSteps: i64,
}

#[repr(C)]
pub struct twArray {
    pub size: usize,
    pub data: *mut c_void,
    pub element: twElementType,
    pub rank: usize,
    pub shape: *const i64,
    pub strides: *const i64,
    pub isUninitialised: c_int,
    pub links: *const c_void,
    pub linkCount: usize,
    pub name: *const c_char,
}

#[repr(C)]
pub struct twArgument {
    pub array: *const twArray,
    pub element: twElementType,
    pub bits: u64,
}

#[repr(C)]
pub struct twLaunchOptions {
    pub size: usize,
    pub grid: [i64; 3],
    pub threads: c_int,
    pub print: Option<unsafe extern "C" fn(*mut c_void, *const c_char, usize)>,
    pub printContext: *mut c_void,
}

#[repr(C)]
pub struct twFinding {
    pub size: usize,
    pub kind: c_int,
    pub severity: c_int,
    pub message: *const c_char,
    pub text: *const c_char,
    pub place: twPlace,
    pub rule: *const c_char,
    pub section: *const c_char,
    pub help: *const c_char,
    pub kernel: *const c_char,
    pub block: [i64; 3],
    pub operation: *const c_char,
    pub element: *const c_char,
    pub array: *const c_char,
    pub arrayElement: i64,
}

extern "C" {
    pub fn twDiagnosticsText(diagnostics: *const twDiagnostics) -> *const c_char;
    pub fn twDiagnosticsDestroy(diagnostics: *mut twDiagnostics);

    pub fn twContextCreate() -> *mut twContext;
    pub fn twContextDestroy(context: *mut twContext);

    pub fn twModuleReadFile(
        context: *const twContext,
        path: *const c_char,
        module: *mut *mut twModule,
        diagnostics: *mut *mut twDiagnostics,
    ) -> twStatus;
    pub fn twModuleDestroy(module: *mut twModule);
    pub fn twModuleFindEntry(module: *const twModule, name: *const c_char) -> *const twEntry;

    pub fn twEntryParameterCount(entry: *const twEntry) -> usize;
    pub fn twEntryParameter(
        entry: *const twEntry,
        index: usize,
        parameter: *mut twParameter,
    ) -> twStatus;

    pub fn twKernelCompile(
        entry: *const twEntry,
        options: *const twCompileOptions,
        kernel: *mut *mut twKernelHandle,
        diagnostics: *mut *mut twDiagnostics,
    ) -> twStatus;
    pub fn twKernelDestroy(kernel: *mut twKernelHandle);

    pub fn twLaunchCreate(
        kernel: *const twKernelHandle,
        options: *const twLaunchOptions,
        arguments: *const twArgument,
        argumentCount: usize,
        launch: *mut *mut twLaunchHandle,
        diagnostics: *mut *mut twDiagnostics,
    ) -> twStatus;
    pub fn twLaunchRun(
        launch: *mut twLaunchHandle,
        diagnostics: *mut *mut twDiagnostics,
    ) -> twStatus;
    pub fn twLaunchDestroy(launch: *mut twLaunchHandle);

    pub fn twLaunchFindingCount(launch: *const twLaunchHandle) -> usize;
    pub fn twLaunchFinding(
        launch: *const twLaunchHandle,
        index: usize,
        finding: *mut twFinding,
    ) -> twStatus;
}
