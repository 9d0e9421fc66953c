// News from the server of this page: the model was changed.

/** What is new: the number of the version, and why it cannot be shown ("" when it can). */
export interface News {
  readonly version: string;
  readonly trouble: string;
}

/** What the server answers to a question for news. */
export function parseNews(text: string): News {
  const end = text.indexOf("\n");
  return { version: text.slice(0, end), trouble: text.slice(end + 1) };
}

// After an answer that failed, in ms; the server may have ended for good.
const PAUSE = 1000;
const MOST_FAILURES = 30;

/** Ask for news again and again, until the server is gone. */
export async function listen(tell: (news: News) => Promise<void>, gone: () => void): Promise<void> {
  let seen = "0";
  for (let failures = 0; failures < MOST_FAILURES; ) {
    try {
      const answer = await fetch(`changes?${seen}`, { cache: "no-store" });
      if (!answer.ok) {
        break;
      }
      const news = parseNews(await answer.text());
      failures = 0;
      if (news.version !== seen) {
        seen = news.version;
        await tell(news);
      }
    } catch {
      failures += 1;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
  gone();
}
