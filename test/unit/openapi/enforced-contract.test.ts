import { expect } from 'chai';
import { enforcedContract } from '../../../openapi/enforced-contract.ts';

describe('the part of a contract that a service enforces', () => {
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const document = {
    openapi: '3.1.1',
    info: { title: 'A contract', version: '1' },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    tags: [{ name: 'data' }],
    paths: {
      '/things/{id}': {
        parameters,
        post: {
          'x-scope': 'things:write',
          parameters: [{ $ref: '#/components/parameters/Search' }],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          responses: { 200: { $ref: '#/components/responses/Thing' } },
        },
        put: { requestBody: { $ref: '#/components/requestBodies/Thing' }, responses: {} },
        get: { security: [], responses: {} },
      },
    },
    components: {
      parameters: { Search: { name: 'search', in: 'query', schema: { type: 'string' } } },
      requestBodies: { Thing: { content: { 'application/json': { schema: { type: 'null' } } } } },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Thing: { type: 'object' } },
      responses: { Thing: { description: 'A thing' } },
    },
  };
  const responses = { default: { description: 'Any response' } };
  const content = { 'application/json': { schema: {} } };

  it('has operations, scopes, parameters and content types, and neither body schemas nor responses', () => {
    const { openapi, info, servers, security, components } = document;
    expect(enforcedContract(document)).to.deep.equal({
      openapi,
      info,
      servers,
      security,
      paths: {
        '/things/{id}': {
          parameters,
          post: {
            'x-scope': 'things:write',
            parameters: [{ $ref: '#/components/parameters/Search' }],
            requestBody: { required: true, content },
            responses,
          },
          put: { requestBody: { $ref: '#/components/requestBodies/Thing' }, responses },
          get: { security: [], responses },
        },
      },
      components: {
        parameters: components.parameters,
        requestBodies: { Thing: { content } },
        securitySchemes: components.securitySchemes,
      },
    });
  });
});
