//! Exchanges arrays through Arrow's C interface, as Python capsules.

use std::{
    ffi::{CStr, c_char, c_int, c_void},
    ptr,
};

use arrow_array::{
    Array as _, ArrayRef, RecordBatchReader,
    ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi},
    ffi_stream::FFI_ArrowArrayStream,
    make_array,
};
use pyo3::{intern, prelude::*, types::PyCapsule};

use crate::error::{Error, failed};

const STREAM: &CStr = c"arrow_array_stream";
const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";

/// An array for any library that accepts Arrow data, for example with `pyarrow.array(a)` or
/// `polars.Series(a)`.
#[pyclass(frozen, sequence, module = "tabia")]
pub(crate) struct Array(pub(crate) ArrayRef);

#[pymethods]
impl Array {
    /// Exports the array through the Arrow C data interface. Nothing is copied.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // A consumer may ask for a different type, but the interface does not require the producer to provide
        // it.
        drop(requested_schema);
        let (array, schema) = to_ffi(&self.0.to_data()).map_err(failed)?;
        let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
        Ok((schema, PyCapsule::new_with_value(py, array, ARRAY)?))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<tabia.Array of {} {}>", self.0.len(), self.0.data_type())
    }
}

/// Wraps a reader of record batches in a capsule.
pub(crate) fn stream_capsule(
    py: Python<'_>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
}

/// The chunks of an object's Arrow data; `None` if the object has no Arrow interface.
pub(crate) fn chunks_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
    let py = object.py();
    if object.hasattr(intern!(py, "__arrow_c_stream__"))? {
        let capsule = object.call_method0(intern!(py, "__arrow_c_stream__"))?;
        return read_stream(capsule.cast::<PyCapsule>()?).map(Some);
    }
    if object.hasattr(intern!(py, "__arrow_c_array__"))? {
        let capsules = object.call_method0(intern!(py, "__arrow_c_array__"))?;
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
        return read_array(&schema, &array).map(|array| Some(vec![array]));
    }
    Ok(None)
}

#[expect(unsafe_code, reason = "Arrow's C interface is made of raw structs, which capsules carry")]
fn read_array(schema: &Bound<'_, PyCapsule>, array: &Bound<'_, PyCapsule>) -> PyResult<ArrayRef> {
    let (schema, array) = (schema.pointer_checked(Some(SCHEMA))?, array.pointer_checked(Some(ARRAY))?);
    // SAFETY: the interface guarantees that a capsule of this name points to a valid struct of this type, and
    // both capsules are alive. `from_raw` moves the array out of its capsule and puts a released array in its
    // place.
    let data = unsafe {
        let array = FFI_ArrowArray::from_raw(array.as_ptr().cast());
        from_ffi(array, schema.cast::<FFI_ArrowSchema>().as_ref())
    };
    Ok(make_array(data.map_err(failed)?))
}

/// Arrow's C stream interface. The library's own type can only read streams of record batches, but a column
/// is a stream of arrays.
#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut FFI_ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut FFI_ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

impl Stream {
    const RELEASED: Self = Self {
        get_schema: None,
        get_next: None,
        get_last_error: None,
        release: None,
        private_data: ptr::null_mut(),
    };
}

impl Drop for Stream {
    #[expect(unsafe_code, reason = "Arrow's C interface is made of raw structs, which capsules carry")]
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the stream has not been released yet, and it is not used after this.
            unsafe { release(self) }
        }
    }
}

#[expect(unsafe_code, reason = "Arrow's C interface is made of raw structs, which capsules carry")]
fn read_stream(capsule: &Bound<'_, PyCapsule>) -> PyResult<Vec<ArrayRef>> {
    let pointer = capsule.pointer_checked(Some(STREAM))?;
    // SAFETY: the interface guarantees that a capsule of this name points to a valid stream, and the capsule
    // is alive. The call moves the stream out of the capsule and puts a released stream in its place.
    let mut stream = unsafe { ptr::replace(pointer.as_ptr().cast(), Stream::RELEASED) };
    let (Some(get_schema), Some(get_next)) = (stream.get_schema, stream.get_next) else {
        return Err(Error::new_err("the Arrow stream was read already"));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the stream is not released. If the call returns 0, it has written a schema to its second
    // argument.
    let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
    check(&mut stream, code)?;
    let mut chunks = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream is not released. If the call returns 0, it has written an array to its second
        // argument; at the end of the stream, that array is marked as released.
        let code = unsafe { get_next(&raw mut stream, &raw mut array) };
        check(&mut stream, code)?;
        if array.is_released() {
            return Ok(chunks);
        }
        // SAFETY: the arrays of a stream have the stream's schema.
        chunks.push(make_array(unsafe { from_ffi(array, &schema) }.map_err(failed)?));
    }
}

/// Fails if `code` is not 0. The error has the stream's own message, if there is one.
#[expect(unsafe_code, reason = "Arrow's C interface is made of raw structs, which capsules carry")]
fn check(stream: &mut Stream, code: c_int) -> PyResult<()> {
    if code == 0 {
        return Ok(());
    }
    let text = stream.get_last_error.and_then(|get_last_error| {
        // SAFETY: the stream is not released and has just returned an error; its message, if there is one,
        // ends with a zero byte and lives until the next call.
        unsafe {
            let text = get_last_error(stream);
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    });
    Err(Error::new_err(text.unwrap_or_else(|| format!("the Arrow stream ended with error {code}"))))
}
