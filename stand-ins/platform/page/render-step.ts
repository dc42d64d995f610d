import { type Html, html } from '../../http/html.ts';
import { type Field, type Step, TICKED } from '../catalogue/step-types.ts';
import { renderResponse, renderSelect, tile } from './parts.ts';

/**
 * Renders an action or a search as a form. The browser validates nothing, so the service's errors are shown at the
 * fields.
 */
export function renderStep(step: Step): Html {
  return html`
    <form class="card card-form" aria-labelledby="${step.key}-step" data-step="${step.key}" novalidate autocomplete="off">
      <div class="card-head">
        ${step.kind === 'action' ? tile('play', 'action') : tile('search', 'search')}
        <h3 id="${step.key}-step">${step.name}</h3>
      </div>
      <p class="card-words">${step.description}</p>
      ${step.fields.map((field) => renderField(`${step.key}-${field.name}`, field))}
      <div class="card-buttons"><button class="button button-main">Run</button></div>
      ${renderResponse()}
    </form>`;
}

function renderField(id: string, field: Field): Html {
  const error = html`<p class="field-error" id="${id}-error" data-error="${field.name}" hidden></p>`;
  if (field.input.kind === 'checkbox') {
    return html`
      <div class="field field-check">
        <input type="checkbox" id="${id}" name="${field.name}" value="${TICKED}">
        <label for="${id}">${field.label}</label>${error}
      </div>`;
  }
  return html`
    <div class="field">
      <div class="field-top">
        <label for="${id}">${field.label}</label>
        ${field.required && html`<span class="need" aria-hidden="true">required</span>`}
      </div>
      ${renderInput(id, field)}
      ${field.hint && html`<p class="field-hint" id="${id}-hint">${field.hint}</p>`}
      ${error}
    </div>`;
}

function renderInput(id: string, { name, required, hint, input }: Field): Html {
  const more = html`${required && html`aria-required="true"`} ${hint && html`aria-describedby="${id}-hint"`}`;
  switch (input.kind) {
    case 'long':
      return html`<textarea id="${id}" name="${name}" rows="3" ${more}></textarea>`;
    case 'record':
      return html`<input id="${id}" name="${name}" list="seen-${input.of}" spellcheck="false" ${more}>`;
    case 'select':
      return renderSelect({
        id,
        name,
        options: [
          { value: '', label: input.whenEmpty },
          ...input.options.map((value) => ({ value, label: value })),
        ],
      });
    case 'choices':
      return renderSelect({
        id,
        name,
        source: input.source,
        options: [
          { value: '', label: input.whenEmpty },
          { value: 'none', label: input.none },
        ],
      });
    default:
      return html`<input id="${id}" name="${name}" type="${input.kind}" ${more}>`;
  }
}
