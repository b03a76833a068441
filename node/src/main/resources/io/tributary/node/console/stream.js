// Server-sent events by fetch, because EventSource cannot send a login. The login is never stored: it is an Authorization header that only this
// page sends, so no other web page can make a browser use it.

const PAUSES = [500, 1000, 2000, 4000, 8000];
const SILENCE_MILLIS = 15000;

let authorization = null;

const header = (user, password) => `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))}`;

export function logOut() {
  authorization = null;
}

export const isLoggedIn = () => authorization !== null;

/** Requests a page; credentials that the browser stores are not sent. */
export function request(path, options = {}) {
  return fetch(path, {
    cache: "no-store",
    credentials: "omit",
    ...options,
    headers: authorization ? { Authorization: authorization, ...options.headers } : options.headers,
  });
}

/** Logs in if these are the user and password of the node; throws if it does not answer. */
export async function logIn(user, password) {
  const login = header(user, password);
  const answer = await request("state", { headers: { Authorization: login } });
  if (answer.ok) {
    authorization = login;
  }
  return { ok: answer.ok, status: answer.status, text: answer.ok ? "" : (await answer.text()).trim() };
}

/**
 * Receives events until close() is called, or until the node needs a login, and connects again after each other failure.
 *
 * on: {event(name, data), live(state, text), refused(status, text)}
 */
export class Stream {
  constructor(on) {
    this.on = on;
    this.failures = 0;
    this.generation = 0;
  }

  open() {
    this.close();
    this.run(this.generation);
  }

  close() {
    this.generation++;
    this.abort?.abort();
  }

  async run(generation) {
    while (generation === this.generation) {
      const why = await this.receive(generation);
      if (generation !== this.generation) {
        return;
      }
      this.on.live("lost", why);
      const pause = PAUSES[Math.min(this.failures++, PAUSES.length - 1)];
      await new Promise((done) => setTimeout(done, pause));
    }
  }

  /** Receives one stream to its end; returns why it ended. */
  async receive(generation) {
    const abort = new AbortController();
    this.abort = abort;
    let silence = setTimeout(() => abort.abort(), SILENCE_MILLIS);
    try {
      const answer = await request("events", { signal: abort.signal });
      if (!answer.ok) {
        const text = (await answer.text()).trim();
        if (answer.status === 401) {
          this.close(); // each further request with a wrong login would be a warning in the node's log
        }
        this.on.refused(answer.status, text);
        return text;
      }
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done || generation !== this.generation) {
          return "the connection has ended";
        }
        clearTimeout(silence);
        silence = setTimeout(() => abort.abort(), SILENCE_MILLIS);
        text += value;
        const blocks = text.split("\n\n");
        text = blocks.pop();
        for (const block of blocks) {
          this.failures = 0;
          this.dispatch(block);
        }
      }
    } catch {
      return "the node does not answer";
    } finally {
      clearTimeout(silence);
      abort.abort();
    }
  }

  dispatch(block) {
    let name = "message";
    let data = "";
    for (const line of block.split("\n")) {
      if (line.startsWith("event: ")) {
        name = line.slice(7);
      } else if (line.startsWith("data: ")) {
        data += line.slice(6);
      }
    }
    let document;
    try {
      document = JSON.parse(data);
    } catch {
      return; // cut by the end of the connection
    }
    try {
      this.on.event(name, document);
      this.on.live("live", "");
    } catch (failure) {
      this.on.live("broken", failure.message);
    }
  }
}
