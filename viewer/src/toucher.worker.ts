// The worker that finds links that touch.

import { type Answer, Answerer, type Question } from "./toucher";

const answerer = new Answerer((answer: Answer) => self.postMessage(answer));

self.addEventListener("message", ({ data }: MessageEvent<Question>) => void answerer.ask(data));
