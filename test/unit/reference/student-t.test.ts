import { expect } from 'chai';
import { studentT, studentTProbability } from '../../reference/student-t.ts';

describe('Student’s t of the reference', () => {
  it('is tan(π · level / 2) with one degree of freedom, and has a closed form with two and four', () => {
    for (const level of [0.5, 0.9, 0.95, 0.99]) {
      expect(studentT(level, 1)).to.be.closeTo(Math.tan((Math.PI * level) / 2), 1e-10);
      expect(studentT(level, 2)).to.be.closeTo(level * Math.sqrt(2 / (1 - level ** 2)), 1e-11);
      const alpha = 1 - level ** 2;
      const q = Math.cos(Math.acos(Math.sqrt(alpha)) / 3) / Math.sqrt(alpha);
      expect(studentT(level, 4)).to.be.closeTo(2 * Math.sqrt(q - 1), 1e-11);
    }
  });

  it('is that of published tables', () => {
    expect(studentT(0.95, 9)).to.be.closeTo(2.2621571628, 1e-10);
    expect(studentT(0.99, 30)).to.be.closeTo(2.7499956536, 1e-10);
    expect(studentT(0.9, 120)).to.be.closeTo(1.6576508994, 1e-10);
    // The normal distribution.
    expect(studentT(0.95, 1e9)).to.be.closeTo(1.9599639845, 3e-9);
  });

  it('is that of SciPy for any number of degrees of freedom', () => {
    const quantiles = [
      [0.9, 1.5, 3.70518082009675],
      [0.95, 8.25, 2.293897208375576],
      [0.99, 29.999, 2.7500018180656265],
      [0.95, 12345.6, 1.9601561582595104],
      [0.99, 1e7, 2.5758297952037488],
    ] as const;
    for (const [level, degrees, t] of quantiles) {
      expect(studentT(level, degrees), `${degrees}`).to.be.closeTo(t, 1e-11);
    }
  });

  it('has the two-sided p of SciPy, with and without whole degrees of freedom', () => {
    const probabilities = [
      [0.01, 1, 0.993634014470186],
      [2, 1.5, 0.22418833035605112],
      [12, 3.7, 0.000426787399381245],
      [0.7, 8.25, 0.5031855061324555],
      [3.3, 29.999, 0.002499372316379671],
      [4, 12345.6, 6.371181698591966e-5],
      [2, 1e7, 0.04550029089184296],
    ] as const;
    for (const [t, degrees, p] of probabilities) {
      expect(studentTProbability(t, degrees), `${degrees}`).to.be.closeTo(p, 1e-12);
      expect(studentTProbability(-t, degrees)).to.equal(studentTProbability(t, degrees));
    }
    expect(studentTProbability(0, 3)).to.equal(1);
  });

  it('has a p of 1 less the level at its quantile', () => {
    for (const degrees of [1, 1.0001, 2.5, 9.99, 10.01, 300.5, 1e5, 1e7]) {
      for (const level of [0.5, 0.9, 0.95, 0.99]) {
        const p = studentTProbability(studentT(level, degrees), degrees);
        expect(p, `${degrees}`).to.be.closeTo(1 - level, 1e-12);
      }
    }
  });
});
