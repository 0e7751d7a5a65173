import { expect } from 'chai';
import { studentT, studentTProbability } from '../../../services/catalog/student-t.ts';
import {
  studentT as referenceT,
  studentTProbability as referenceP,
} from '../../reference/student-t.ts';
import { openPanel, type Panel } from './open-panel.ts';

describe('Student’s t in SQL', () => {
  let panel: Panel;
  before(async () => (panel = await openPanel()));
  after(() => panel.close());

  it('has quantiles that differ by less than 1e-9 from the integral of the density, for 1 to 10 million degrees', async () => {
    const whole = Array.from({ length: 60 }, (_, i) => i + 1);
    const larger = [75, 99, 100, 150, 365, 1000, 12_345, 1e5, 1e6, 1e7];
    const fractions = [1.01, 1.25, 1.5, 1.9, 2.3, 3.7, 8.25, 29.999];
    const degrees = [...whole, ...larger, ...fractions];
    const columns = studentT('degrees').map(({ sql, name }) => `${sql} AS ${name}`);
    const text = await panel.run(`WITH ${columns.join(', ')}
      SELECT degrees, t90, t95, t99 FROM (SELECT arrayJoin([${degrees.join(', ')}]) AS degrees)`);
    const lines = text.trim().split('\n');
    expect(lines).to.have.length(degrees.length);
    for (const line of lines) {
      const [df = 0, ...quantiles] = line.split('\t').map(Number);
      [0.9, 0.95, 0.99].forEach((level, i) => {
        expect(quantiles[i], `${level} of ${df}`).to.be.closeTo(referenceT(level, df), 1e-9);
      });
    }
  });

  it('has probabilities that differ by less than 1e-9 from the reference, for 1 to 10 million degrees', async () => {
    const degrees = [1, 1.01, 1.5, 2, 2.39, 3, 4.7, 9, 29.999, 100, 365, 12_345, 1e5, 1e6, 1e7];
    const statistics = [0, 1e-9, 1e-3, 0.1, 0.7, 1, 1.96, 2.5, 4, 8, 30, 1e3, 1e6];
    const columns = studentTProbability('t', 'degrees').map(({ sql, name }) => `${sql} AS ${name}`);
    const text = await panel.run(`WITH ${columns.join(', ')}
      SELECT degrees, t, p_value FROM (SELECT toFloat64(arrayJoin([${degrees.join(', ')}])) AS degrees,
        toFloat64(arrayJoin([${statistics.join(', ')}])) AS t)`);
    const lines = text.trim().split('\n');
    expect(lines).to.have.length(degrees.length * statistics.length);
    for (const line of lines) {
      const [df = 0, t = 0, p = NaN] = line.split('\t').map(Number);
      expect(p, `t ${t} of ${df}`).to.be.closeTo(referenceP(t, df), 1e-9);
    }
  });
});
