// Opens Swagger UI on the service's own document. Nothing is asked of another host, and a token
// given under "Authorize" lives in this page alone: closing it forgets the token.
const { SwaggerUIBundle, document } = globalThis;

const viewer = SwaggerUIBundle({
  url: '/openapi.yaml',
  dom_id: '#viewer',
  validatorUrl: null,
  persistAuthorization: false,
  queryConfigEnabled: false,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  onComplete: () => {
    document.title = viewer.specSelectors.info().get('title');
  },
});
