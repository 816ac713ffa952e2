use std::sync::LazyLock;

use super::instances::own_symmetries;
use super::{PATTERNS, Pattern};

/// Which configurations of a pattern mean the same: those that the pattern's
/// own symmetry maps on each other, and, with the opposite sign, those with
/// swapped colours.
#[derive(Debug)]
pub struct Orbits {
    /// For every configuration 0 if it is its own opposite (its value must be
    /// 0), else ±(number of its class + 1).
    codes: Vec<i32>,
    /// For every configuration the number of its class if swapped colours do
    /// not count.
    evens: Vec<u32>,
    /// Is a class its own opposite, for each if swapped colours do not count?
    own_opposites: Vec<bool>,
    /// One configuration of each class, the largest: the empty squares and
    /// the mover's discs as far to the end as they can be.
    members: Vec<u32>,
}

/// A class of configurations and whether the colours are swapped in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signed {
    /// Number of the class, from 0.
    pub class: usize,
    /// Swapped: a win seen here is a loss of the class.
    pub swapped: bool,
}

impl Orbits {
    /// The classes of pattern number `pattern`, computed once.
    #[inline]
    pub fn of(pattern: usize) -> &'static Orbits {
        static ALL: LazyLock<Vec<Orbits>> =
            LazyLock::new(|| PATTERNS.iter().map(Orbits::compute).collect());
        &ALL[pattern]
    }

    fn compute(pattern: &Pattern) -> Orbits {
        let size = pattern.configurations();
        let orders = own_symmetries(pattern);
        // A digit moved from place i to place order[i] is worth the other power.
        let powers: Vec<Vec<usize>> = orders
            .iter()
            .map(|order| order.iter().map(|&place| 3usize.pow(place as u32)).collect())
            .collect();
        let mut codes = vec![i32::MIN; size];
        let (mut evens, mut own_opposites) = (vec![0; size], Vec::new());
        let mut members = Vec::new();
        for configuration in (0..size).rev() {
            if codes[configuration] != i32::MIN {
                continue;
            }
            let class = members.len() as i32 + 1;
            let images: Vec<usize> = powers
                .iter()
                .map(|powers| {
                    let mut rest = configuration;
                    powers.iter().fold(0, |image, power| {
                        let digit = rest % 3;
                        rest /= 3;
                        image + digit * power
                    })
                })
                .collect();
            let opposite = |image: usize| size - 1 - image;
            for &image in &images {
                evens[image] = own_opposites.len() as u32;
                evens[opposite(image)] = own_opposites.len() as u32;
            }
            own_opposites.push(images.contains(&opposite(configuration)));
            if images.contains(&opposite(configuration)) {
                images.iter().for_each(|&image| codes[image] = 0);
                continue;
            }
            for &image in &images {
                codes[image] = class;
                codes[opposite(image)] = -class;
            }
            members.push(configuration as u32);
        }
        Orbits { codes, evens, own_opposites, members }
    }

    /// How many classes there are, those that must be 0 left out.
    pub fn classes(&self) -> usize {
        self.members.len()
    }

    /// The class of a configuration, `None` if it is its own opposite.
    #[inline(always)]
    pub fn class(&self, configuration: usize) -> Option<Signed> {
        match self.codes[configuration] {
            0 => None,
            code => Some(Signed { class: code.unsigned_abs() as usize - 1, swapped: code < 0 }),
        }
    }

    /// How many classes there are if swapped colours do not count.
    pub fn even_classes(&self) -> usize {
        self.own_opposites.len()
    }

    /// Is a class of [`Orbits::even_class`] its own opposite?
    pub fn is_own_opposite(&self, even_class: usize) -> bool {
        self.own_opposites[even_class]
    }

    /// The class of a configuration if swapped colours do not count.
    #[inline(always)]
    pub fn even_class(&self, configuration: usize) -> usize {
        self.evens[configuration] as usize
    }

    /// One configuration of a class.
    pub fn member(&self, class: usize) -> usize {
        self.members[class] as usize
    }

    /// The values of all configurations from those of the classes.
    pub fn expand(&self, values: &[i16]) -> Vec<i16> {
        assert_eq!(values.len(), self.classes(), "one value per class");
        let value = |&code: &i32| match code {
            0 => 0,
            code if code > 0 => values[code as usize - 1],
            code => -values[(-code) as usize - 1],
        };
        self.codes.iter().map(value).collect()
    }

    /// Adds to the values of all configurations those of the classes for which
    /// swapped colours do not count.
    pub fn add_even(&self, all: &mut [i16], values: &[i16]) {
        assert_eq!(values.len(), self.even_classes(), "one value per class");
        for (value, &class) in all.iter_mut().zip(&self.evens) {
            *value = value.saturating_add(values[class as usize]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_counted_as_burnside_counts_them() {
        // Without own symmetry: all pairs of opposites but the empty pattern.
        let c2x5 = PATTERNS.iter().position(|p| p.name == "C2x5").unwrap();
        assert_eq!(Orbits::of(c2x5).classes(), (59_049 - 1) / 2);
        // An edge: orbits under the mirror (3⁸ + 3⁴)/2 = 3321, of which those
        // that equal their own opposite (3⁴, the right half being the left
        // with swapped colours, in (81 + 1)/2 orbits) have no class.
        let edge = Orbits::of(0);
        assert_eq!(edge.classes(), (3321 - 41) / 2);
        assert_eq!(edge.class(PATTERNS[0].centre()), None);
        // Orbits under the mirror and the swap together: the two of them fix
        // 3⁸, 3⁴, 1 and 3⁴ configurations.
        assert_eq!(edge.even_classes(), (6561 + 81 + 1 + 81) / 4);
        assert_eq!(Orbits::of(c2x5).even_classes(), 59_049_usize.div_ceil(2));
    }

    #[test]
    fn swapped_colours_have_the_same_even_class() {
        for (number, pattern) in PATTERNS.iter().enumerate() {
            let orbits = Orbits::of(number);
            let size = pattern.configurations();
            let values: Vec<i16> = (0..orbits.even_classes()).map(|class| class as i16).collect();
            let mut all = vec![1; size];
            orbits.add_even(&mut all, &values);
            for (configuration, &value) in all.iter().enumerate() {
                let class = orbits.even_class(configuration);
                assert_eq!(class, orbits.even_class(size - 1 - configuration));
                assert_eq!(value, (class as i16).saturating_add(1));
                if let (Some(one), Some(other)) =
                    (orbits.class(configuration), orbits.class((configuration * 7) % size))
                {
                    let same = class == orbits.even_class((configuration * 7) % size);
                    assert_eq!(same, one.class == other.class);
                }
            }
        }
    }

    #[test]
    fn opposite_configurations_have_opposite_values() {
        for (number, pattern) in PATTERNS.iter().enumerate() {
            let orbits = Orbits::of(number);
            let values: Vec<i16> =
                (0..orbits.classes()).map(|class| class as i16 % 4000 + 1).collect();
            let expanded = orbits.expand(&values);
            let size = pattern.configurations();
            for configuration in 0..size {
                assert_eq!(expanded[configuration], -expanded[size - 1 - configuration]);
            }
            for class in 0..orbits.classes() {
                assert_eq!(expanded[orbits.member(class)], values[class]);
            }
        }
    }
}
