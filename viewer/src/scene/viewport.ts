// The canvas: renderer, camera, lights, and a new picture whenever something changed.

import {
  type Box3,
  DirectionalLight,
  HemisphereLight,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
  type Object3D,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { FIRST_VIEW, fitDistance, orbit } from "./camera";
import type { Theme } from "./theme";

const DEGREE = Math.PI / 180;
const ANGLE_OF_VIEW = 32;
const MARGIN = 1.06;
// The lower edge of the picture, in pixels, belongs to the toolbar.
const TOOLBAR = 52;

export class Viewport {
  readonly canvas: HTMLCanvasElement;
  readonly scene = new Scene();
  readonly #renderer: WebGLRenderer;
  readonly #camera = new PerspectiveCamera(ANGLE_OF_VIEW, 1, 0.01, 100);
  readonly #controls: OrbitControls;
  readonly #raycaster = new Raycaster();
  #waiting = false;

  /** A canvas that fills its holder; an Error where the browser has no WebGL. */
  constructor(holder: HTMLElement) {
    this.#renderer = new WebGLRenderer({ antialias: true });
    this.canvas = this.#renderer.domElement;
    holder.prepend(this.canvas);
    this.#camera.up.set(0, 0, 1);
    this.#controls = new OrbitControls(this.#camera, this.canvas);
    this.#controls.zoomToCursor = true;
    this.#controls.addEventListener("change", () => this.draw());
    this.scene.add(this.#camera, ...lights(this.#camera));
    new ResizeObserver(() => this.#resize(holder)).observe(holder);
    this.#resize(holder);
  }

  /** Ask for a new picture; many requests before the next frame are one. */
  draw(): void {
    if (!this.#waiting) {
      this.#waiting = true;
      requestAnimationFrame(() => {
        this.#waiting = false;
        this.#renderer.render(this.scene, this.#camera);
      });
    }
  }

  theme(theme: Theme): void {
    this.scene.background = theme.background;
    this.draw();
  }

  /** Show all of a box, seen from in front; ``size`` is the model's, for boxes that have none. */
  fit(box: Box3, size: number): void {
    const centre = box.getCenter(new Vector3());
    const half = box.getSize(new Vector3()).multiplyScalar(0.5);
    const radius = Math.max(half.length(), size / 5);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const free = Math.max(1, height - TOOLBAR);
    const halfAngle = Math.atan((Math.tan((ANGLE_OF_VIEW / 2) * DEGREE) * free) / Math.max(1, height));
    const lens = { halfAngle, aspect: width / free };
    const distance = MARGIN * Math.max(fitDistance(half.toArray(), FIRST_VIEW, lens), radius);
    this.#camera.position.copy(centre).addScaledVector(new Vector3(...FIRST_VIEW), distance);
    this.#camera.near = radius / 100;
    this.#camera.far = radius * 200;
    this.#camera.updateProjectionMatrix();
    this.#controls.minDistance = radius / 50;
    this.#controls.maxDistance = radius * 50;
    this.#controls.target.copy(centre);
    this.#controls.update();
    this.draw();
  }

  /** Turn the eye about what it looks at, in steps; positive to the right, upwards. */
  turn(right: number, up: number): void {
    const offset = this.#camera.position.clone().sub(this.#controls.target);
    const moved = orbit(offset.toArray(), right * 10 * DEGREE, up * 10 * DEGREE);
    this.#camera.position.copy(this.#controls.target).add(new Vector3(...moved));
    this.#controls.update();
  }

  /** Go nearer (below 1) or away. */
  zoom(factor: number): void {
    const offset = this.#camera.position.clone().sub(this.#controls.target);
    this.#camera.position.copy(this.#controls.target).addScaledVector(offset, factor);
    this.#controls.update();
  }

  /** The first of some objects under a point of the window. */
  hit(x: number, y: number, objects: Object3D[]): Object3D | null {
    const frame = this.canvas.getBoundingClientRect();
    const point = new Vector2(
      ((x - frame.left) / frame.width) * 2 - 1,
      1 - ((y - frame.top) / frame.height) * 2,
    );
    this.#raycaster.setFromCamera(point, this.#camera);
    return this.#raycaster.intersectObjects(objects, false)[0]?.object ?? null;
  }

  #resize(holder: HTMLElement): void {
    const [width, height] = [Math.max(1, holder.clientWidth), Math.max(1, holder.clientHeight)];
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.setSize(width, height);
    this.#camera.aspect = width / height;
    this.#camera.setViewOffset(width, height, 0, TOOLBAR / 2, width, height);
    this.draw();
  }
}

/** Daylight from above, and a lamp beside the eye, so that no view is in the dark. */
function lights(camera: PerspectiveCamera): Object3D[] {
  const lamp = new DirectionalLight(0xffffff, 1.8);
  lamp.position.set(-0.5, 0.7, 1);
  camera.add(lamp, lamp.target);
  const sky = new HemisphereLight(0xffffff, 0x9a948c, 1.7);
  sky.position.set(0, 0, 1);
  return [sky];
}
