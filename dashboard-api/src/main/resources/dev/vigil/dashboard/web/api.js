/** The REST API. A refusal becomes an Error with what the problem document says. */
const ROOT = './api/v1';

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function answer(response) {
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const body = isJson ? await response.json() : null;
  if (!response.ok) {
    const id = body?.error_id ? ` (error ${body.error_id})` : '';
    throw new ApiError(response.status, (body?.detail ?? body?.title ?? `HTTP ${response.status}`) + id);
  }
  return body;
}

export async function get(path, parameters = {}) {
  const query = new URLSearchParams(parameters).toString();
  return answer(await fetch(`${ROOT}${path}${query ? `?${query}` : ''}`, { headers: { Accept: 'application/json' } }));
}

export async function post(path, body, headers = {}) {
  return answer(
    await fetch(`${ROOT}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  );
}

export const liveUrl = `${ROOT}/live`;
