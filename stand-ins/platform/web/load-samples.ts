import type { Trigger } from '../catalogue/triggers.ts';
import type { Platform } from '../platform.ts';
import { callService } from '../service/call-service.ts';
import type { ServiceResponse } from '../service/service-response.ts';
import type { Connection } from '../state.ts';

/** Up to three recent real events of a trigger, to try a workflow with. */
export function loadSamples(
  platform: Platform,
  connection: Connection,
  trigger: Trigger,
  filter: string,
): Promise<ServiceResponse> {
  return callService(platform, connection, {
    method: 'GET',
    path: `/triggers/${trigger.key}/samples`,
    query: trigger.filter && filter ? { [trigger.filter.name]: filter } : {},
  });
}
