window.SwaggerUIBundle({
  url: './openapi.yaml',
  dom_id: '#docs',
  deepLinking: true,
  tryItOutEnabled: false,
  validatorUrl: null,
});
