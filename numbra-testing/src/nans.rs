//! Which NaN an operation gives is not defined, so what is compared has one only.

/// Makes every NaN the same in memory of floats that have `width` bytes, 4 or 8.
pub fn same_nans(bytes: &mut [u8], width: usize) {
    for chunk in bytes.chunks_exact_mut(width) {
        if let Ok(word) = <[u8; 4]>::try_from(&*chunk)
            && f32::from_le_bytes(word).is_nan()
        {
            chunk.copy_from_slice(&f32::NAN.to_le_bytes());
        }
        if let Ok(word) = <[u8; 8]>::try_from(&*chunk)
            && f64::from_le_bytes(word).is_nan()
        {
            chunk.copy_from_slice(&f64::NAN.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::same_nans;

    #[test]
    fn nans_alone_change() {
        let mut bytes = [-f64::NAN, -0.0, f64::NAN].map(f64::to_le_bytes).concat();
        same_nans(&mut bytes, 8);
        assert_eq!(
            bytes,
            [f64::NAN, -0.0, f64::NAN].map(f64::to_le_bytes).concat()
        );
        let mut bytes = [-f32::NAN, 1.5].map(f32::to_le_bytes).concat();
        same_nans(&mut bytes, 4);
        assert_eq!(bytes, [f32::NAN, 1.5].map(f32::to_le_bytes).concat());
    }
}
