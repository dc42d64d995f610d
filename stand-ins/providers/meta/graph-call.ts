import type { ProviderRequest } from '../../http/bodies.ts';
import type { Providers } from '../providers.ts';
import type { Account } from '../state.ts';

export type GraphCall = { providers: Providers; request: ProviderRequest; account: Account };
