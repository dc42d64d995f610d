import { DecoratorHandler, type Dispatcher } from 'undici';
import { NotSentError } from '#server/automation/deliveries/hook-agent.ts';

/**
 * Returns a dispatcher that checks `maySend` again immediately before a request is written, as connecting may
 * take long. If false, the request fails with `NotSentError`, and its receiver sees nothing.
 */
export function checkBeforeSending(dispatcher: Dispatcher, maySend: () => boolean): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => {
    const checked: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
    checked.onRequestStart = (controller, context) => {
      if (!maySend()) throw new NotSentError();
      handler.onRequestStart?.(controller, context);
    };
    return dispatch(options, checked);
  });
}
