import { bearerOf, type ProviderRequest, textOf } from '../../http/bodies.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { uuid } from '../make-ids.ts';
import { changed, type Providers } from '../providers.ts';
import { type ApiCall, addNewest, type Channel, keyOf } from '../state.ts';

/** Records a call from the service, without its token and the content of its files. */
export function recordCall(
  providers: Providers,
  provider: string,
  request: ProviderRequest,
  response: HttpResponse,
): void {
  const { state } = providers;
  const inPath = /\/bot([^/]+)/.exec(request.path)?.[1] ?? '';
  const token =
    bearerOf(request) || inPath || textOf(request.fields.access_token) || textOf(request.fields.token);
  const account = [...state.accounts.values()].find((each) => token !== '' && each.token === token);
  const { access_token: _hidden, token: _also, ...fields } = request.fields;
  const call: ApiCall = {
    id: uuid(),
    at: new Date(),
    channel: account?.channel ?? channelOf(provider),
    account: account ? keyOf(account) : null,
    method: request.method,
    path: inPath ? request.path.replace(inPath, '<token>') : request.path,
    fields: { ...fields, ...filesOf(request) },
    status: response === 'hang' ? 0 : response.status,
    response: response === 'hang' ? 'no response' : 'body' in response ? response.body : response.type,
  };
  addNewest(state.apiCalls, call);
  changed(providers);
}

function channelOf(provider: string): Channel {
  return provider === 'telegram' || provider === 'slack' ? provider : 'whatsapp';
}

function filesOf({ files }: ProviderRequest) {
  if (files.length === 0) return {};
  return {
    files: files.map(({ field, name, type, content }) => ({ field, name, type, size: content.length })),
  };
}
