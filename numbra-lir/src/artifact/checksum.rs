//! A checksum against damaged files; not against an attacker.

/// A 64-bit hash of bytes that changes with every single damaged byte: 8 bytes a step, an odd multiplier and a fold.
pub fn checksum(bytes: &[u8]) -> u64 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15; // 2^64 over the golden ratio, odd: the step is a bijection
    let mut hash = bytes.len() as u64 ^ MULTIPLIER;
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        let word: [u8; 8] = word.try_into().expect("chunks of 8 bytes");
        hash = step(hash ^ u64::from_le_bytes(word), MULTIPLIER);
    }
    let mut last = [0; 8];
    let rest = words.remainder();
    last[..rest.len()].copy_from_slice(rest);
    step(hash ^ u64::from_le_bytes(last), MULTIPLIER)
}

fn step(hash: u64, multiplier: u64) -> u64 {
    let mixed = hash.wrapping_mul(multiplier);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn every_flipped_bit_changes_it() {
        let bytes: Vec<u8> = (0..61).collect();
        let whole = checksum(&bytes);
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(&damaged), whole, "bit {bit}");
        }
        assert_ne!(checksum(&bytes[..60]), whole);
    }
}
