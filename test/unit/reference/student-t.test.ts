import { expect } from 'chai';
import { studentT } from '../../reference/student-t.ts';

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
});
