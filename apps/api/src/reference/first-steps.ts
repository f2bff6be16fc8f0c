/** From an API key to a paid signal, for a shell: the first lines of README.md and of the page of the API. */
export const FIRST_STEPS = `
call() { curl -s -w '\\n' -X "$1" "$BASE_URL$2" -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' -H 'Prefer: wait=20' \${3:+-d "$3"}; }
first() { grep -o "\\"$1\\":[0-9]*" | head -n 1 | cut -d : -f 2; }   # the first number with this name

call POST /api/v2/personas '{"job_title":["sales"],"location":["France"]}'
SETUP=$(call POST /api/v3/signal-setups '{"signal_template_key":"mentioned-keywords-on-network","parameters":{"tracking_keywords":["CRM","sales automation"]}}' | first id)
RUN=$(call POST /api/v2/workspace/signal-runs "{\\"signal_setup_id\\":$SETUP,\\"parameters\\":{\\"lookback_days\\":180}}" | first signal_request_id)
call GET "/api/v2/workspace/signal-runs/$RUN"
call POST /api/v3/signals/query '{"limit":1}'
call GET /api/v3/credits/balance
`.trim();
