use crate::feature::FEATURES;

/// A linear model of one phase: f(x) = intercept + Σ weightⱼ xⱼ (LOG and
/// FISHER).
#[derive(Debug, Clone, PartialEq)]
pub struct LinearModel {
    /// The value of a board without any feature, from the mover's view.
    pub intercept: f64,
    /// The weight of each feature; 0 for one left out.
    pub weights: [f64; FEATURES],
    /// Standard errors of the intercept and the weights, where known.
    pub errors: Option<LinearErrors>,
}

/// Standard errors of a [`LinearModel`].
#[derive(Debug, Clone, PartialEq)]
pub struct LinearErrors {
    /// Of the intercept.
    pub intercept: f64,
    /// Of the weights; 0 for a feature left out.
    pub weights: [f64; FEATURES],
}

impl LinearModel {
    /// The model that knows nothing.
    pub const ZERO: LinearModel =
        LinearModel { intercept: 0.0, weights: [0.0; FEATURES], errors: None };

    /// f(x), log-odds of a win.
    pub fn value(&self, x: &[f64; FEATURES]) -> f64 {
        self.contributions(x).into_iter().sum::<f64>() + self.intercept
    }

    /// What each feature adds to f(x).
    pub fn contributions(&self, x: &[f64; FEATURES]) -> [f64; FEATURES] {
        std::array::from_fn(|j| self.weights[j] * x[j])
    }
}

/// A quadratic model of one phase: f(x) = x Q x′ + L x′ + c (QUAD).
#[derive(Debug, Clone, PartialEq)]
pub struct QuadraticModel {
    /// The constant c.
    pub constant: f64,
    /// The linear part L.
    pub linear: [f64; FEATURES],
    /// The symmetric matrix Q.
    pub quadratic: [[f64; FEATURES]; FEATURES],
}

impl QuadraticModel {
    /// The model that knows nothing.
    pub const ZERO: QuadraticModel = QuadraticModel {
        constant: 0.0,
        linear: [0.0; FEATURES],
        quadratic: [[0.0; FEATURES]; FEATURES],
    };

    /// f(x), log-odds of a win.
    pub fn value(&self, x: &[f64; FEATURES]) -> f64 {
        self.contributions(x).into_iter().sum::<f64>() + self.constant
    }

    /// What each feature adds to f(x): its linear term, its square, and half
    /// of each product with another feature.
    pub fn contributions(&self, x: &[f64; FEATURES]) -> [f64; FEATURES] {
        std::array::from_fn(|j| {
            let row: f64 = self.quadratic[j].iter().zip(x).map(|(q, x)| q * x).sum();
            x[j] * (self.linear[j] + row)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contributions_of_a_quadratic_form_add_up() {
        let mut model = QuadraticModel { constant: 0.5, ..QuadraticModel::ZERO };
        model.linear[0] = 2.0;
        model.quadratic[0][1] = 1.5;
        model.quadratic[1][0] = 1.5;
        model.quadratic[1][1] = -1.0;
        let mut x = [0.0; FEATURES];
        (x[0], x[1]) = (3.0, 2.0);
        // 0.5 + 2·3 + 2·1.5·3·2 − 2²
        assert_eq!(model.value(&x), 0.5 + 6.0 + 18.0 - 4.0);
        assert_eq!(model.contributions(&x)[..2], [6.0 + 9.0, 9.0 - 4.0]);
    }
}
