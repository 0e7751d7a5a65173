// Shows the service's OpenAPI document in Swagger UI, without requests to other hosts. A token entered
// under "Authorize" is kept only until the page is closed.
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
