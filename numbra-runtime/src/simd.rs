//! Functions compiled for the vectors that the processor has.

/// The vectors that a function has a copy for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Vectors {
    /// Of 512 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// Of 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Those that every processor of this kind has.
    Baseline,
}

impl Vectors {
    /// The widest ones of this processor.
    #[inline]
    pub(crate) fn widest() -> Vectors {
        #[cfg(target_arch = "x86_64")]
        {
            if std::is_x86_feature_detected!("avx512f")
                && std::is_x86_feature_detected!("avx512bw")
                && std::is_x86_feature_detected!("avx512dq")
                && std::is_x86_feature_detected!("avx512vl")
            {
                return Vectors::Avx512;
            }
            if std::is_x86_feature_detected!("avx2") {
                return Vectors::Avx2;
            }
        }
        Vectors::Baseline
    }
}

/// Functions of which there is a copy for each of [`Vectors`]: a call runs the one for the widest vectors of this processor.
/// The copies are made of the text, not by inlining, so a body may be long, and its closures are compiled like it.
/// Generic parameters stand in brackets: `fn largest[T: Element](run: &[T]) -> T { .. }`.
macro_rules! widest {
    ($(
        $(#[$about:meta])*
        $vis:vis fn $name:ident $([$($generics:tt)*])? ($($arg:ident: $of:ty),* $(,)?) $(-> $result:ty)? $body:block
    )*) => {
        $(
            $(#[$about])*
            $vis fn $name $(<$($generics)*>)? ($($arg: $of),*) $(-> $result)? {
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
                fn avx512 $(<$($generics)*>)? ($($arg: $of),*) $(-> $result)? $body
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2")]
                fn avx2 $(<$($generics)*>)? ($($arg: $of),*) $(-> $result)? $body
                fn baseline $(<$($generics)*>)? ($($arg: $of),*) $(-> $result)? $body
                match $crate::simd::Vectors::widest() {
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: the processor has these.
                    $crate::simd::Vectors::Avx512 => unsafe { avx512($($arg),*) },
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: the processor has these.
                    $crate::simd::Vectors::Avx2 => unsafe { avx2($($arg),*) },
                    $crate::simd::Vectors::Baseline => baseline($($arg),*),
                }
            }
        )*
    };
}
pub(crate) use widest;

#[cfg(test)]
mod tests {
    widest! {
        fn greatest_below[T: Copy + PartialOrd](all: &[T], limit: T, least: T) -> T {
            let below = all.iter().copied().filter(|x| *x < limit);
            below.fold(least, |best, x| if x > best { x } else { best })
        }

        fn double(all: &mut [f64]) {
            all.iter_mut().for_each(|x| *x *= 2.0);
        }
    }

    #[test]
    fn copies_are_called_with_their_arguments() {
        let mut all: Vec<f64> = (0..1000).map(f64::from).collect();
        double(&mut all);
        assert_eq!(greatest_below(&all, 777.0, -1.0), 776.0);
        assert_eq!(greatest_below(&[3_u8, 9, 4], 9, 0), 4);
    }
}
