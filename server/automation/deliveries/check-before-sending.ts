import { DecoratorHandler, type Dispatcher } from 'undici';

/** The attempt was given up before anything of it was sent. */
export class NotSentError extends Error {
  constructor() {
    super('Nothing was sent: the lease of the worker may have been lost.');
  }
}

/**
 * A dispatcher that asks once more in the moment before a request is written to its connection, which may have taken long
 * to make. A request that may not leave any more fails with `NotSentError`, and its receiver sees nothing of it.
 */
export function checkBeforeSending(dispatcher: Dispatcher, maySend: () => boolean): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => {
    const inner: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
    return dispatch(options, {
      onRequestStart: (controller, context) => {
        if (!maySend()) throw new NotSentError();
        inner.onRequestStart?.(controller, context);
      },
      onResponseStart: (...response) => inner.onResponseStart?.(...response),
      onResponseData: (...chunk) => inner.onResponseData?.(...chunk),
      onResponseEnd: (...end) => inner.onResponseEnd?.(...end),
      onResponseError: (...error) => inner.onResponseError?.(...error),
    });
  });
}
