// Notifications of the server: the model has changed, or has been checked.

/** What the server has, and why a new version of the model cannot be shown ("" if it can). */
export interface News {
  /** The words of these news: "2.1+" for the second news, of model 1, which has been checked. */
  readonly state: string;
  readonly model: number;
  readonly checked: boolean;
  readonly trouble: string;
}

/** Parse the server's response. */
export function parseNews(text: string): News {
  const end = text.indexOf("\n");
  const state = text.slice(0, end);
  return {
    state,
    model: Number.parseInt(state.slice(state.indexOf(".") + 1), 10),
    checked: state.endsWith("+"),
    trouble: text.slice(end + 1),
  };
}

// Pause after a failed request, in ms; the server may have stopped.
const PAUSE = 1000;
const MOST_FAILURES = 30;

/** The number of failed requests in a row after which the server counts as lost. */
const LOST = 2;

/** What happens to the server. */
export interface Listener {
  /** There are news; resolves to whether to wait for more. */
  readonly tell: (news: News) => Promise<boolean>;
  /** The server does not answer, or answers again; the requests go on. */
  readonly lost: (lost: boolean) => void;
  /** The server has stopped. */
  readonly gone: () => void;
}

/** Poll the server for changes until it has stopped, or no more are wanted. */
export async function listen({ tell, lost, gone }: Listener): Promise<void> {
  let seen = "0.0";
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
      if (news.state !== seen) {
        seen = news.state;
        if (!(await tell(news))) {
          return;
        }
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
