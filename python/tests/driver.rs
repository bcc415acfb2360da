// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A Rust program that does not use Tilewright directly: it starts `tileiras` on bytecode, loads the
//! output through the driver, and launches `vector_add` on device memory.
//!
//!     driver BYTECODE OUTPUT EXTENT

use std::ffi::CString;
use std::os::raw::{c_char, c_int, c_uint, c_void};
use std::process::{exit, Command};
use std::{env, fs, mem, ptr};

#[link(name = "cuda")]
extern "C" {
    fn cuInit(flags: c_uint) -> c_int;
    fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> c_int;
    fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) -> c_int;
    fn cuDevicePrimaryCtxRetain(context: *mut *mut c_void, device: c_int) -> c_int;
    fn cuCtxSetCurrent(context: *mut c_void) -> c_int;
    fn cuCtxSynchronize() -> c_int;
    fn cuModuleLoadData(module: *mut *mut c_void, image: *const c_void) -> c_int;
    fn cuModuleGetFunction(f: *mut *mut c_void, module: *mut c_void, name: *const c_char) -> c_int;
    fn cuModuleUnload(module: *mut c_void) -> c_int;
    fn cuMemAlloc_v2(address: *mut u64, size: usize) -> c_int;
    fn cuMemFree_v2(address: u64) -> c_int;
    fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, size: usize) -> c_int;
    fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, size: usize) -> c_int;
    fn cuLaunchKernel(
        function: *mut c_void, gridX: c_uint, gridY: c_uint, gridZ: c_uint, blockX: c_uint,
        blockY: c_uint, blockZ: c_uint, shared: c_uint, stream: *mut c_void,
        arguments: *mut *mut c_void, extra: *mut *mut c_void,
    ) -> c_int;
}

const COMPUTE_CAPABILITY: [c_int; 2] = [75, 76];
const COUNT: usize = 2500;

fn expect(status: c_int, what: &str) {
    if status != 0 {
        println!("{what}: {status}");
        exit(1);
    }
}

fn main() {
    let words: Vec<String> = env::args().collect();
    let mut extent: i32 = words[3].parse().unwrap();
    let mut stride: i32 = 1;
    unsafe {
        expect(cuInit(0), "cuInit");
        let (mut device, mut context) = (0, ptr::null_mut());
        expect(cuDeviceGet(&mut device, 0), "cuDeviceGet");
        expect(cuDevicePrimaryCtxRetain(&mut context, device), "cuDevicePrimaryCtxRetain");
        expect(cuCtxSetCurrent(context), "cuCtxSetCurrent");
        let [major, minor] = COMPUTE_CAPABILITY.map(|attribute| {
            let mut value = 0;
            expect(cuDeviceGetAttribute(&mut value, attribute, device), "cuDeviceGetAttribute");
            value
        });

        let processor = format!("sm_{major}{minor}");
        let mut compiler = Command::new("tileiras");
        let ended = compiler.args(["--gpu-name", &processor, &words[1], "-o", &words[2]]).status();
        assert!(ended.expect("tileiras is not in PATH").success());
        let image = fs::read(&words[2]).unwrap();

        let (mut module, mut function) = (ptr::null_mut(), ptr::null_mut());
        expect(cuModuleLoadData(&mut module, image.as_ptr().cast()), "cuModuleLoadData");
        let name = CString::new("vector_add").unwrap();
        expect(cuModuleGetFunction(&mut function, module, name.as_ptr()), "cuModuleGetFunction");

        let a: Vec<f32> = (0..COUNT).map(|i| i as f32).collect();
        let b = vec![0.5f32; COUNT];
        let mut c = vec![0f32; COUNT];
        let size = COUNT * mem::size_of::<f32>();
        let mut addresses = [0u64; 3];
        for (address, values) in addresses.iter_mut().zip([&a, &b, &c]) {
            expect(cuMemAlloc_v2(address, size), "cuMemAlloc");
            expect(cuMemcpyHtoD_v2(*address, values.as_ptr().cast(), size), "cuMemcpyHtoD");
        }
        let mut arguments: Vec<*mut c_void> = Vec::new();
        for address in &mut addresses {
            arguments.push((address as *mut u64).cast());
            arguments.push((&mut extent as *mut i32).cast());
            arguments.push((&mut stride as *mut i32).cast());
        }
        let (stream, extra) = (ptr::null_mut(), ptr::null_mut());
        let launched =
            cuLaunchKernel(function, 3, 1, 1, 1, 1, 1, 0, stream, arguments.as_mut_ptr(), extra);
        expect(launched, "cuLaunchKernel");
        expect(cuCtxSynchronize(), "cuCtxSynchronize");
        expect(cuMemcpyDtoH_v2(c.as_mut_ptr().cast(), addresses[2], size), "cuMemcpyDtoH");
        println!("{}", if (0..COUNT).all(|i| c[i] == a[i] + b[i]) { "right" } else { "wrong" });
        for address in addresses {
            expect(cuMemFree_v2(address), "cuMemFree");
        }
        expect(cuModuleUnload(module), "cuModuleUnload");
    }
}
