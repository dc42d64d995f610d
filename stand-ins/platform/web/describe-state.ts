import { triggerOf } from '../catalogue/triggers.ts';
import type { PlatformState } from '../state.ts';

/** Returns all state for tests, without tokens, verifiers and pending states. */
export function describeState(state: PlatformState) {
  return {
    connections: [...state.connections.values()].map((connection) => ({
      id: connection.id,
      label: connection.label,
      health: connection.health,
      message: connection.message,
      me: connection.me,
      connected_at: connection.connectedAt,
      refresh_count: connection.refreshCount,
    })),
    subscriptions: [...state.subscriptions.values()].map((subscription) => ({
      key: subscription.key,
      connection_id: subscription.connectionId,
      event: subscription.trigger,
      trigger: triggerOf(subscription.trigger).name,
      filter: subscription.filter,
      target_url: subscription.targetUrl,
      state: subscription.state,
      hook_id: subscription.hookId,
      answer_mode: subscription.responseMode,
      created_at: subscription.createdAt,
      request_count: subscription.requestCount,
      late_count: subscription.lateCount,
    })),
    workflows: [...state.workflows.values()].map((workflow) => ({
      id: workflow.id,
      connection_id: workflow.connectionId,
      event: workflow.trigger,
      action: workflow.action,
      is_on: workflow.subscriptionKey !== null,
      stopped: workflow.stopped,
      runs: workflow.runs.map(({ startedAt, values, response }) => ({
        started_at: startedAt,
        values,
        response,
      })),
    })),
    events: state.events.map((event) => ({
      id: event.id,
      connection_id: event.connectionId,
      subscription_key: event.subscriptionKey,
      event: event.trigger,
      trigger: triggerOf(event.trigger).name,
      delivery_id: event.deliveryId,
      received_at: event.attempts[0].at,
      received_count: event.attempts.length,
      attempts: event.attempts,
      headers: event.headers,
      body: event.body,
      raw_body: event.rawBody,
      body_changed: event.bodyChanged,
    })),
    notices: [...state.notices.values()],
  };
}
