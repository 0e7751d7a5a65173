import { expect } from 'chai';
import { newToken } from '../../../services/registry/tokens/token.ts';
import { redactOwnTokens, redactTokens } from '../../../services/shared/logging/redact-tokens.ts';

describe('log lines', () => {
  for (const forInterface of ['data', 'metadata'] as const) {
    it(`have no token of the ${forInterface} interface anywhere`, () => {
      const token = newToken(forInterface);
      const line = redactTokens(`{"path":"/x?t=${token}","stack":"Error: ${token} is odd"}`);
      expect(line).to.equal('{"path":"/x?t=[token]","stack":"Error: [token] is odd"}');
    });
  }

  it('have no value of an Authorization header, even if it is not a netpanel token', () => {
    expect(redactTokens('{"headers":{"authorization":"Bearer abc.def","host":"h"}}')).to.equal(
      '{"headers":{"authorization":"[token]","host":"h"}}',
    );
  });

  it('have no token that is attached to other text', () => {
    const token = newToken('data');
    expect(redactTokens(`Bearer${token} x_${token}`)).to.equal('Bearer[token] x_[token]');
  });

  it('stay valid JSON if a field has the name of the header', () => {
    const body = '{"errors":{"authorization":["Unknown field."]}}';
    expect(redactOwnTokens(body)).to.equal(body);
  });

  it('are otherwise unchanged', () => {
    const line = '{"message":"request","path":"/metadata/unit/7","status":200}';
    expect(redactTokens(line)).to.equal(line);
  });
});
