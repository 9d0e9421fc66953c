// Entry point: loads the model, shows it, and reloads it when the server reports a change.

import "./style.css";
import { fetchModel, load } from "./container";
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
      const snapshot = page.snapshot();
      page.remove();
      page = new Page(next, frame, snapshot);
      page.draw(viewport, snapshot);
    };
    let told = "";
    await listen({
      tell: async ({ trouble }) => {
        if (!trouble) {
          show(await fetchModel());
        }
        told = trouble;
        say(trouble);
      },
      lost: (lost) => say(lost ? "The server does not answer; trying again. Changes are not shown." : told),
      gone: () => say("The server has stopped. Changes are no longer shown."),
    });
  }
}

const app = document.getElementById("app")!;
window.unibody = { status: "loading" };
start(app).catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  window.unibody = { status: reason };
  (app.querySelector(".stage") ?? app).append(element("p", { class: "problem", role: "alert" }, reason));
});
