// Notifications of the server: the model has changed.

/** A version of the model, and why it cannot be shown ("" if it can). */
export interface News {
  readonly version: string;
  readonly trouble: string;
}

/** Parse the server's response. */
export function parseNews(text: string): News {
  const end = text.indexOf("\n");
  return { version: text.slice(0, end), trouble: text.slice(end + 1) };
}

// Pause after a failed request, in ms; the server may have stopped.
const PAUSE = 1000;
const MOST_FAILURES = 30;

/** The number of failed requests in a row after which the server counts as lost. */
const LOST = 2;

/** What happens to the server. */
export interface Listener {
  /** The model has changed. */
  readonly tell: (news: News) => Promise<void>;
  /** The server does not answer, or answers again; the requests go on. */
  readonly lost: (lost: boolean) => void;
  /** The server has stopped. */
  readonly gone: () => void;
}

/** Poll the server for changes until it has stopped. */
export async function listen({ tell, lost, gone }: Listener): Promise<void> {
  let seen = "0";
  for (let failures = 0; failures < MOST_FAILURES; ) {
    try {
      const answer = await fetch(`changes?${seen}`, { cache: "no-store" });
      if (!answer.ok) {
        break;
      }
      const news = parseNews(await answer.text());
      if (failures >= LOST) {
        lost(false);
      }
      failures = 0;
      if (news.version !== seen) {
        seen = news.version;
        await tell(news);
      }
    } catch {
      failures += 1;
      if (failures === LOST) {
        lost(true);
      }
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
  gone();
}
