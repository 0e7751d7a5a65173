import { expect } from 'chai';
import { newToken } from '../../../services/registry/token.ts';
import { redactOwnTokens, redactTokens } from '../../../services/shared/logging/redact-tokens.ts';

describe('log lines', () => {
  for (const forInterface of ['data', 'metadata'] as const) {
    it(`lose a token of the ${forInterface} interface wherever it stands`, () => {
      const token = newToken(forInterface);
      const line = redactTokens(`{"path":"/x?t=${token}","stack":"Error: ${token} is odd"}`);
      expect(line).to.equal('{"path":"/x?t=[token]","stack":"Error: [token] is odd"}');
    });
  }

  it("lose what stood in an Authorization header, even if it is no token of netpanel's", () => {
    expect(redactTokens('{"headers":{"authorization":"Bearer abc.def","host":"h"}}')).to.equal(
      '{"headers":{"authorization":"[token]","host":"h"}}',
    );
  });

  it('lose a token that something is stuck to', () => {
    const token = newToken('data');
    expect(redactTokens(`Bearer${token} x_${token}`)).to.equal('Bearer[token] x_[token]');
  });

  it('stay JSON where a field is named like the header', () => {
    const body = '{"errors":{"authorization":["Unknown field."]}}';
    expect(redactOwnTokens(body)).to.equal(body);
  });

  it('keep everything else', () => {
    const line = '{"message":"request","path":"/metadata/unit/7","status":200}';
    expect(redactTokens(line)).to.equal(line);
  });
});
