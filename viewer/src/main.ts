// Entry point: loads the model, shows it, reloads it when the server reports a change, and adds what the server
// finds of it.

import "./style.css";
import { Address } from "./address";
import { fetchFindings, fetchModel, load } from "./container";
import { History } from "./history";
import { listen } from "./live";
import type { Model } from "./model";
import { makeFrame, Page } from "./page";
import { Viewport } from "./scene/viewport";
import type { Snapshot } from "./snapshot";
import { element } from "./ui/dom";

async function start(app: HTMLElement): Promise<void> {
  const model = await load(document);
  const frame = makeFrame(app);
  const history = new History<Snapshot>();
  const address = new Address(() => page.follow());
  let page = new Page(model, frame, address, history);
  let viewport: Viewport | null = null;
  try {
    viewport = new Viewport(frame.stage);
    page.draw(viewport);
  } finally {
    // Without WebGL, the panels work.
    page.open(null);
  }
  if (model.live || model.checking) {
    const notice = element("p", { class: "notice", role: "status", hidden: true });
    frame.stage.append(notice);
    const say = (text: string): void => {
      notice.textContent = text;
      notice.hidden = text === "";
    };
    const show = (next: Model): void => {
      const snapshot = page.capture();
      page.remove();
      page = new Page(next, frame, address, history);
      page.draw(viewport);
      page.open(snapshot);
    };
    let told = "";
    let shown = 0;
    await listen({
      tell: async ({ model: number, checked, trouble }) => {
        if (number !== shown) {
          shown = number;
          show(await fetchModel());
        }
        if (checked && page.checking) {
          const findings = await fetchFindings();
          if (findings) {
            page.find(findings);
          }
        }
        told = trouble;
        say(trouble);
        return model.live || page.checking;
      },
      lost: (lost) =>
        model.live && say(lost ? "The server does not answer; trying again. Changes are not shown." : told),
      gone: () => {
        page.find([]);
        if (model.live) {
          say("The server has stopped. Changes are no longer shown.");
        }
      },
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
