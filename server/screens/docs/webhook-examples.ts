const JAVASCRIPT = `import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

createServer(async (req, res) => {
  const body = Buffer.concat(await req.toArray()).toString();
  try {
    webhook.verify(body, req.headers);
  } catch {
    return res.writeHead(400).end();
  }
  store(JSON.parse(body));
  res.writeHead(204).end();
}).listen(process.env.PORT);`;

const PYTHON = `import base64, hashlib, hmac, os, time

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

def is_genuine(body: bytes, headers) -> bool:
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    digest = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    signatures = headers.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(expected, signature) for signature in signatures)`;

const GO = `func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || !isGenuine(body, r.Header) {
		http.Error(w, "not verified", http.StatusBadRequest)
		return
	}
	store(body)
	w.WriteHeader(http.StatusNoContent)
}

func isGenuine(body []byte, headers http.Header) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Fields(headers.Get("webhook-signature")) {
		if hmac.Equal([]byte(expected), []byte(signature)) {
			return true
		}
	}
	return false
}`;

const PHP = `$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));

$isRecent = abs(time() - (int) $timestamp) <= 300;
$signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
$matching = array_filter($signatures, fn ($signature) => hash_equals($expected, $signature));
if (!$isRecent || count($matching) === 0) {
    http_response_code(400);
    exit;
}
store(json_decode($body, true));
http_response_code(204);`;

/** Programs that verify a request of a webhook. A test runs each as it is shown. */
export const WEBHOOK_EXAMPLES = {
  javascript: { title: 'JavaScript, with standardwebhooks', text: JAVASCRIPT },
  python: { title: 'Python, without a library', text: PYTHON },
  go: { title: 'Go, without a library', text: GO },
  php: { title: 'PHP, without a library', text: PHP },
};
