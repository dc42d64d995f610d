import { type HttpResponse, json } from '../../http/responses.ts';
import { traceId } from '../make-ids.ts';

type GraphError = {
  message: string;
  code: number;
  status?: number;
  type?: string;
  subcode?: number;
  /** WhatsApp only: an explanation. */
  details?: string;
};

/** Creates an error response of the Graph API. */
export function graphError(error: GraphError): HttpResponse {
  const { message, code, status = 400, type = 'OAuthException', subcode, details } = error;
  return json(
    {
      error: {
        message,
        type,
        code,
        ...(details ? { error_data: { messaging_product: 'whatsapp', details } } : {}),
        ...(subcode ? { error_subcode: subcode } : {}),
        fbtrace_id: traceId(),
      },
    },
    status,
  );
}

/** The token is invalid or revoked. */
export const invalidToken = (): HttpResponse =>
  graphError({
    message:
      'Error validating access token: The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.',
    code: 190,
    subcode: 460,
    status: 401,
  });

/** The `appsecret_proof` of the call was computed with another app's secret. */
export const invalidProof = (): HttpResponse =>
  graphError({
    message: 'Invalid appsecret_proof provided in the API argument',
    type: 'GraphMethodException',
    code: 100,
  });

/** Subcode for a rejected file on a page. */
export const UPLOAD_FAILURE_SUBCODE = '2018047';

/** Messenger and Instagram: the upload is not a file, or not of the declared type. */
export const uploadFailure = (): HttpResponse =>
  graphError({
    message: '(#100) Upload attachment failure.',
    code: 100,
    subcode: Number(UPLOAD_FAILURE_SUBCODE),
  });

/** A parameter is missing or has a wrong value. */
export const invalidParameter = (details: string): HttpResponse =>
  graphError({ message: `(#100) Invalid parameter: ${details}`, code: 100, details });

/** The object does not exist, or is not visible to the token. */
export const unknownObject = (method: string, id: string): HttpResponse =>
  graphError({
    message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.`,
    type: 'GraphMethodException',
    code: 100,
    subcode: 33,
  });
