import { CREATE_WHEN_MISSING, type Step } from '../catalogue/step-types.ts';
import type { Platform } from '../platform.ts';
import type { Connection } from '../state.ts';
import { callService } from './call-service.ts';
import type { ServiceRequest } from './send-request.ts';
import { type ServiceResponse, succeeded, unanswered } from './service-response.ts';

/**
 * Runs an action or a search with the submitted values. Empty fields are not sent, as the service ignores them. The
 * service validates required fields, except ids, which are part of the path.
 */
export async function runStep(
  platform: Platform,
  connection: Connection,
  step: Step,
  values: Record<string, string>,
): Promise<ServiceResponse> {
  const built = buildRequest(step, values);
  if ('problem' in built) return built.problem;
  const response = await callService(platform, connection, built.request);
  const nothingFound = succeeded(response) && Array.isArray(response.body) && response.body.length === 0;
  if (!nothingFound || !values[CREATE_WHEN_MISSING]) return response;
  return callService(platform, connection, {
    method: 'POST',
    path: '/contacts',
    body: filledFields(step, values),
  });
}

function buildRequest(
  step: Step,
  values: Record<string, string>,
): { request: ServiceRequest } | { problem: ServiceResponse } {
  const fields = filledFields(step, values);
  let path = step.path;
  for (const [, name = ''] of step.path.matchAll(/\{(\w+)\}/g)) {
    const id = fields[name]?.trim() ?? '';
    delete fields[name];
    // A dot segment would change the path instead of identifying a record.
    if (id === '' || /^\.{1,2}$/.test(id)) {
      const sentence = `${step.fields.find((field) => field.name === name)?.label ?? name} is required.`;
      return { problem: unanswered(sentence, { [name]: [sentence] }) };
    }
    path = path.replace(`{${name}}`, () => encodeURIComponent(id));
  }
  const { method } = step;
  return { request: method === 'GET' ? { method, path, query: fields } : { method, path, body: fields } };
}

function filledFields(step: Step, values: Record<string, string>): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const { name } of step.fields) {
    const value = values[name];
    if (value && name !== CREATE_WHEN_MISSING) filled[name] = value;
  }
  return filled;
}
