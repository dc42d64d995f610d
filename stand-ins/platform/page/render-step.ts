import { type Html, html } from '../../http/html.ts';
import { type Field, type Step, TICKED } from '../catalogue/step-types.ts';
import { renderResponse, renderSelect } from './parts.ts';

/**
 * Renders an action or a search as a form. The browser validates nothing, so the service's errors are shown at the
 * fields. Forms are inert until the script handles them, as the browser would send them to this page.
 */
export function renderStep(step: Step): Html {
  return html`
    <form aria-labelledby="${step.key}-step" data-step="${step.key}" novalidate autocomplete="off" inert>
      <h3 id="${step.key}-step">${step.name}</h3>
      <p>${step.description}</p>
      ${renderFields(step, step.key)}
      <footer><button data-tone="main">Run</button></footer>
      ${renderResponse()}
    </form>`;
}

/**
 * Renders the fields of a step.
 * @param prefix start of the fields' ids
 * @param values given in a workflow, whose fields accept placeholders
 */
export function renderFields(step: Step, prefix: string, values?: Record<string, string>): Html[] {
  return step.fields.map((field) =>
    renderField(
      `${prefix}-${field.name}`,
      values && field.input.kind === 'email' ? { ...field, input: { kind: 'text' } } : field,
      values?.[field.name] ?? '',
    ),
  );
}

function renderField(id: string, field: Field, value: string): Html {
  const error = html`<p data-tone="bad" id="${id}-error" data-error="${field.name}" hidden></p>`;
  if (field.input.kind === 'checkbox') {
    return html`
      <div>
        <label><input type="checkbox" id="${id}" name="${field.name}" value="${TICKED}"> ${field.label}</label>${error}
      </div>`;
  }
  return html`
    <div>
      <label for="${id}">${field.label}</label>
      ${field.required && html`<small aria-hidden="true">required</small>`}
      ${renderInput(id, field, value)}
      ${field.hint && html`<small id="${id}-hint">${field.hint}</small>`}
      ${error}
    </div>`;
}

function renderInput(id: string, { name, required, hint, input }: Field, value: string): Html {
  const more = html`${required && html`aria-required="true"`} ${hint && html`aria-describedby="${id}-hint"`}`;
  switch (input.kind) {
    case 'long':
      return html`<textarea id="${id}" name="${name}" rows="3" ${more}>${value}</textarea>`;
    case 'record':
      return html`<input id="${id}" name="${name}" list="seen-${input.of}" spellcheck="false" value="${value}" ${more}>`;
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
      return html`<input id="${id}" name="${name}" type="${input.kind}" value="${value}" ${more}>`;
  }
}
