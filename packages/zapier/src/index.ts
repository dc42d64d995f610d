import zapier, { defineApp } from 'zapier-platform-core';
import { authentication } from './authentication.ts';
import { BUILD } from './build.ts';
import { creates } from './creates/index.ts';
import { addToken, explainRefusal } from './middleware.ts';
import { searches, searchOrCreates } from './searches/index.ts';
import { choiceTriggers } from './triggers/choices.ts';
import { eventTriggers } from './triggers/event-triggers.ts';

export default defineApp({
  version: BUILD.version,
  platformVersion: zapier.version,
  authentication,
  beforeRequest: [addToken],
  afterResponse: [explainRefusal],
  triggers: { ...eventTriggers, ...choiceTriggers },
  creates,
  searches,
  searchOrCreates,
});
