import { type Html, html } from '../../http/html.ts';

/** The empty place under a form where the script puts the service's response. */
export function renderResponse(): Html {
  return html`
    <div class="answer">
      <p class="answer-line" role="status"></p>
      <details hidden>
        <summary>Answer as JSON</summary>
        <pre class="json" tabindex="0" role="group" aria-label="JSON"></pre>
      </details>
    </div>`;
}
