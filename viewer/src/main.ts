// The page: load the model, show it, and show it anew when the server says so.

import "./style.css";
import { fetched, load } from "./container";
import { listen } from "./live";
import type { Model } from "./model";
import { makeFrame, Page } from "./page";
import { Viewport } from "./scene/viewport";
import { element } from "./ui/dom";

async function start(app: HTMLElement): Promise<void> {
  const model = await load(document);
  const frame = makeFrame(app);
  let page = new Page(model, frame, null);
  const viewport = new Viewport(frame.stage);
  page.draw(viewport, null);
  if (model.live) {
    const notice = element("p", { class: "notice", role: "status", hidden: true });
    frame.stage.append(notice);
    const say = (text: string): void => {
      notice.textContent = text;
      notice.hidden = text === "";
    };
    const show = (next: Model): void => {
      const kept = page.kept();
      page.remove();
      page = new Page(next, frame, kept);
      page.draw(viewport, kept);
    };
    await listen(
      async ({ trouble }) => {
        if (!trouble) {
          show(await fetched());
        }
        say(trouble);
      },
      () => say("The server has ended: changes are not shown any more."),
    );
  }
}

const app = document.getElementById("app")!;
window.unibody = { status: "loading" };
start(app).catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  window.unibody = { status: reason };
  (app.querySelector(".stage") ?? app).append(element("p", { class: "problem", role: "alert" }, reason));
});
