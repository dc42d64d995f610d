import { DecoratorHandler, type Dispatcher } from 'undici';
import { NotSentError } from '#server/automation/deliveries/hook-agent.ts';
import type { WorkerState } from '#server/automation/deliveries/worker-state.ts';
import type { Leases } from '#worker/leases.ts';

/** Returns whether work may start: the lease is certainly still held. */
export function mayStart({ leaseId }: LeaseState, leases: Pick<Leases, 'areSure'>): boolean {
  return leaseId !== null && leases.areSure();
}

type LeaseState = Pick<WorkerState, 'leaseId'>;

/**
 * Returns a dispatcher that checks the lease again immediately before a request is written, as connecting may
 * take long. If it may be lost, the request fails with `NotSentError`, and its receiver sees nothing.
 */
export function checkBeforeSending(
  dispatcher: Dispatcher,
  state: LeaseState,
  leases: Pick<Leases, 'areSure'>,
): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => {
    const checked: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
    checked.onRequestStart = (controller, context) => {
      if (!mayStart(state, leases)) throw new NotSentError();
      handler.onRequestStart?.(controller, context);
    };
    return dispatch(options, checked);
  });
}
