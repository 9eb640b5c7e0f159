//! Converts JSON values to Python, and Python values to TOML.

use pyo3::{
    Bound, IntoPyObjectExt as _, Py, PyAny, PyResult, Python,
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString},
};
use serde_json::Value;

/// Converts a JSON value to Python.
pub(crate) fn to_python(py: Python<'_>, value: &Value) -> PyResult<Py<PyAny>> {
    match value {
        Value::Null => Ok(py.None()),
        Value::Bool(value) => value.into_py_any(py),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_py_any(py),
            (None, Some(number)) => number.into_py_any(py),
            (None, None) => number.as_f64().into_py_any(py),
        },
        Value::String(text) => text.into_py_any(py),
        Value::Array(values) => {
            let values = values.iter().map(|value| to_python(py, value)).collect::<PyResult<Vec<_>>>()?;
            values.into_py_any(py)
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, value) in fields {
                dict.set_item(name, to_python(py, value)?)?;
            }
            dict.into_py_any(py)
        }
    }
}

/// Converts a Python value to TOML; a path becomes a string.
pub(crate) fn to_toml(value: &Bound<'_, PyAny>) -> PyResult<toml::Value> {
    if value.is_instance_of::<PyBool>() {
        return Ok(toml::Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(toml::Value::Integer(value.extract()?));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(toml::Value::Float(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(toml::Value::String(value.extract()?));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let fields = dict.iter().map(|(name, value)| Ok((name.extract::<String>()?, to_toml(&value)?)));
        return Ok(toml::Value::Table(fields.collect::<PyResult<_>>()?));
    }
    if let Ok(path) = value.call_method0("__fspath__") {
        return Ok(toml::Value::String(path.extract()?));
    }
    if value.is_instance_of::<PyList>() || value.hasattr("__iter__")? {
        return value
            .try_iter()?
            .map(|item| to_toml(&item?))
            .collect::<PyResult<_>>()
            .map(toml::Value::Array);
    }
    Err(PyTypeError::new_err(format!(
        "a setting is a string, a number, a list or a dict, not {}",
        value.repr()?
    )))
}
