// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Tile IR from Rust, using the C API: reads a module, checks or compiles an entry, launches it on
//! slices. Handles are released by `Drop`. A launch borrows its arrays, so that they outlive it and
//! arrays that the kernel may write are not aliased.

pub mod sys;

use std::ffi::{CStr, CString};
use std::marker::PhantomData;
use std::os::raw::c_char;
use std::{fmt, mem, ptr};

/// The reason for a failure: the text that the command line would print.
#[derive(Debug)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.0.trim_end())
    }
}

impl std::error::Error for Error {}

/// Calls a function whose last argument receives its diagnostics. Warnings of a successful launch
/// are among its findings.
fn call(function: impl FnOnce(*mut *mut sys::twDiagnostics) -> sys::twStatus) -> Result<(), Error> {
    let mut diagnostics = ptr::null_mut();
    let status = function(&mut diagnostics);
    let text = text_of(unsafe { sys::twDiagnosticsText(diagnostics) });
    unsafe { sys::twDiagnosticsDestroy(diagnostics) };
    if status != sys::TW_SUCCESS {
        return Err(Error(text));
    }
    Ok(())
}

/// Copies a string of the library, which is never null.
fn text_of(string: *const c_char) -> String {
    unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
}

fn c_string(text: &str) -> Result<CString, Error> {
    CString::new(text).map_err(|_| Error(format!("'{}' has a 0 byte", text.escape_debug())))
}

/// A verified program.
pub struct Module(*mut sys::twModule);

impl Module {
    /// Reads a file with text or bytecode.
    pub fn read_file(path: &str) -> Result<Module, Error> {
        let path = c_string(path)?;
        let mut module = Module(ptr::null_mut());
        // A module may outlive its context.
        let context = unsafe { sys::twContextCreate() };
        let read = call(|diagnostics| unsafe {
            sys::twModuleReadFile(context, path.as_ptr(), &mut module.0, diagnostics)
        });
        unsafe { sys::twContextDestroy(context) };
        read.map(|()| module)
    }

    /// Prepares an entry for the reference machine, which checks its execution.
    pub fn check(&self, entry: &str) -> Result<Checked, Error> {
        Kernel::new(self, entry, sys::TW_REFERENCE).map(Checked)
    }

    /// Compiles an entry for this processor.
    pub fn compile(&self, entry: &str) -> Result<Compiled, Error> {
        Kernel::new(self, entry, sys::TW_CPU).map(Compiled)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        unsafe { sys::twModuleDestroy(self.0) }
    }
}

/// The argument for a kernel parameter. `In` is for arrays that the kernel only reads.
pub enum Argument<'a> {
    In(&'a [f32]),
    Out(&'a mut [f32]),
    I32(i32),
}

/// An error that a kernel made.
pub struct Finding {
    pub rule: String,
    pub file: String,
    pub line: i64,
    pub block: [i64; 3],
    pub element: String,
    pub message: String,
    pub help: String,
}

pub struct Checked(Kernel);

impl Checked {
    /// Runs the kernel and returns its errors. Accesses outside the arrays are not executed, but are
    /// reported as findings.
    pub fn launch(&self, grid: [i64; 3], arguments: Vec<Argument>) -> Result<Vec<Finding>, Error> {
        let launch = Launch::new(&self.0, grid, arguments)?;
        let ran = launch.run();
        let findings = launch.findings();
        if findings.is_empty() {
            ran?; // without findings, the launch itself has failed
        }
        Ok(findings)
    }
}

pub struct Compiled(Kernel);

impl Compiled {
    /// Runs the kernel on all threads of this process.
    ///
    /// # Safety
    /// The kernel must not access memory outside its arrays, and must be free of data races. A checked
    /// launch with such arguments verifies that.
    pub unsafe fn launch(&self, grid: [i64; 3], arguments: Vec<Argument>) -> Result<(), Error> {
        Launch::new(&self.0, grid, arguments)?.run()
    }
}

struct Kernel {
    handle: *mut sys::twKernelHandle,
    /// For each parameter, whether the kernel may write to its array.
    writes: Vec<bool>,
}

impl Kernel {
    fn new(module: &Module, name: &str, device: sys::twDevice) -> Result<Kernel, Error> {
        let c_name = c_string(name)?;
        let entry = unsafe { sys::twModuleFindEntry(module.0, c_name.as_ptr()) };
        if entry.is_null() {
            return Err(Error(format!("the module has no entry '{name}'")));
        }
        let count = unsafe { sys::twEntryParameterCount(entry) };
        let writes = (0..count).map(|i| is_written(entry, i)).collect::<Result<_, _>>()?;
        // Zeros are the defaults.
        let mut options: sys::twCompileOptions = unsafe { mem::zeroed() };
        options.size = mem::size_of_val(&options);
        options.device = device;
        let mut kernel = Kernel { handle: ptr::null_mut(), writes };
        call(|diagnostics| unsafe {
            sys::twKernelCompile(entry, &options, &mut kernel.handle, diagnostics)
        })?;
        Ok(kernel)
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        unsafe { sys::twKernelDestroy(self.handle) }
    }
}

fn is_written(entry: *const sys::twEntry, index: usize) -> Result<bool, Error> {
    let mut parameter: sys::twParameter = unsafe { mem::zeroed() };
    parameter.size = mem::size_of_val(&parameter);
    match unsafe { sys::twEntryParameter(entry, index, &mut parameter) } {
        sys::TW_SUCCESS => Ok(parameter.isWritten != 0),
        _ => Err(Error(format!("there is no parameter {index}"))),
    }
}

/// A kernel with its arguments, which must live as long as the launch.
struct Launch<'a> {
    handle: *mut sys::twLaunchHandle,
    /// Arrays and their extents, boxed because their addresses must not change.
    _arrays: Vec<(Box<sys::twArray>, Box<i64>)>,
    _arguments: PhantomData<Argument<'a>>,
}

impl<'a> Launch<'a> {
    fn new(kernel: &Kernel, grid: [i64; 3], arguments: Vec<Argument<'a>>) -> Result<Self, Error> {
        let mut arrays = Vec::new();
        let mut passed = Vec::new();
        for (i, argument) in arguments.into_iter().enumerate() {
            let (data, extent) = match argument {
                Argument::In(_) if kernel.writes.get(i) == Some(&true) => {
                    let text = "the kernel may write to it: expected Out, found In";
                    return Err(Error(format!("parameter {}: {text}", i + 1)));
                }
                Argument::In(data) => (data.as_ptr() as *mut f32, data.len()),
                Argument::Out(data) => (data.as_mut_ptr(), data.len()),
                Argument::I32(value) => {
                    passed.push(scalar(value));
                    continue;
                }
            };
            let extent = Box::new(extent as i64);
            let array = Box::new(vector(data, &*extent));
            passed.push(whole(&*array));
            arrays.push((array, extent));
        }
        let mut options: sys::twLaunchOptions = unsafe { mem::zeroed() };
        options.size = mem::size_of_val(&options);
        options.grid = grid;
        let (words, count) = (passed.as_ptr(), passed.len());
        let mut handle = ptr::null_mut();
        call(|diagnostics| unsafe {
            sys::twLaunchCreate(kernel.handle, &options, words, count, &mut handle, diagnostics)
        })?;
        Ok(Launch { handle, _arrays: arrays, _arguments: PhantomData })
    }

    fn run(&self) -> Result<(), Error> {
        call(|diagnostics| unsafe { sys::twLaunchRun(self.handle, diagnostics) })
    }

    fn findings(&self) -> Vec<Finding> {
        let count = unsafe { sys::twLaunchFindingCount(self.handle) };
        (0..count).filter_map(|i| self.finding(i)).collect()
    }

    fn finding(&self, index: usize) -> Option<Finding> {
        let mut found: sys::twFinding = unsafe { mem::zeroed() };
        found.size = mem::size_of_val(&found);
        if unsafe { sys::twLaunchFinding(self.handle, index, &mut found) } != sys::TW_SUCCESS {
            return None;
        }
        Some(Finding {
            rule: text_of(found.rule),
            file: text_of(found.place.file),
            line: found.place.line,
            block: found.block,
            element: text_of(found.element),
            message: text_of(found.message),
            help: text_of(found.help),
        })
    }
}

impl Drop for Launch<'_> {
    fn drop(&mut self) {
        unsafe { sys::twLaunchDestroy(self.handle) }
    }
}

/// A contiguous vector.
fn vector(data: *mut f32, extent: *const i64) -> sys::twArray {
    let mut array: sys::twArray = unsafe { mem::zeroed() };
    array.size = mem::size_of_val(&array);
    array.data = data.cast();
    array.element = sys::TW_F32;
    array.rank = 1;
    array.shape = extent;
    array
}

fn whole(array: *const sys::twArray) -> sys::twArgument {
    sys::twArgument { array, element: sys::TW_NO_ELEMENT, bits: 0 }
}

fn scalar(value: i32) -> sys::twArgument {
    sys::twArgument { array: ptr::null(), element: sys::TW_I32, bits: value as u32 as u64 }
}
