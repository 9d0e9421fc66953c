// Canvas: renderer, camera, lights; renders on demand.

import {
  Box3,
  DirectionalLight,
  type Intersection,
  LightProbe,
  type Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Vector3 as Triple } from "../model";
import type { Ray } from "../tree";
import { FIRST_VIEW, fitView, orbit } from "./camera";
import type { ViewSnapshot } from "../snapshot";
import { Smooth } from "./smooth";
import type { Theme } from "./theme";

const DEGREE = Math.PI / 180;
const ANGLE_OF_VIEW = 32;
const MARGIN = 1.08;
const ROOM = [2.9382, 0.809, 1.2269, 0.9096, 0.6852, 0.7214, 0.6063, 0.6668, 0.4576] as const;
// A frame shows something that moves if it follows the last one on the screen within this time, in ms.
const MOVING = 200;
// Minimum distance of the eye from a model, as a share of its size.
const NEAREST = 0.6;
// Fits that may be undone.
const MOST_FITS = 500;


export class Viewport {
  readonly canvas: HTMLCanvasElement;
  readonly scene = new Scene();
  /** Time to render the last frame, in ms. */
  spent = 0;
  /** Called before each frame, to draw what is shown in it. */
  before: ((renderer: WebGLRenderer) => void) | null = null;
  readonly #renderer: WebGLRenderer;
  readonly #camera = new PerspectiveCamera(ANGLE_OF_VIEW, 1, 0.01, 100);
  /** Stands behind the camera and shows its target at the same size, if depth is to have no effect. */
  readonly #parallel = new OrthographicCamera();
  #isParallel = false;
  readonly #controls: OrbitControls;
  readonly #smooth: Smooth;
  readonly #raycaster = new Raycaster();
  /** Ends the wait for the rest after a frame; null at rest. */
  #moving: AbortController | null = null;
  /** Whether the last frame has no smooth edges. */
  #isRough = false;
  /** Time from drawing a frame until it is on the screen, in ms. */
  #lag = 0;
  readonly #resting = new Set<() => void>();
  readonly #drawn = new Set<() => void>();
  readonly #moved = new Set<() => void>();
  #margins = { top: 0, bottom: 0, left: 0 };
  #waiting = false;
  /** Width, height and pixel ratio of the canvas. */
  #size = "";
  /** Fits the view again after a resize; null once the user has moved the view. */
  #refit: (() => void) | null = null;
  /** The direction and the number of the last fit. */
  #fit: { readonly from: Triple; readonly count: number } = { from: FIRST_VIEW, count: 0 };
  #fits = 0;
  /** How the last fits are fitted again, by their numbers. */
  readonly #refits = new Map<number, () => void>();
  /** How far the view was moved since it was fitted. */
  #shifted: Triple = [0, 0, 0];

  /** Create a canvas that fills its holder; throws an Error without WebGL. */
  constructor(private readonly holder: HTMLElement) {
    this.#renderer = makeRenderer();
    this.canvas = this.#renderer.domElement;
    this.#renderer.info.autoReset = false;
    // Near ones first, since what they hide is not painted: that costs more than another material does.
    this.#renderer.setOpaqueSort((a, b) => a.groupOrder - b.groupOrder || a.renderOrder - b.renderOrder || a.z - b.z || a.id - b.id);
    this.#smooth = new Smooth(this.#renderer);
    holder.prepend(this.canvas);
    this.#camera.up.set(0, 0, 1);
    this.#controls = new OrbitControls(this.#camera, this.canvas);
    this.#controls.zoomToCursor = true;
    this.#controls.addEventListener("change", () => {
      this.draw();
      this.#moved.forEach((listener) => listener());
    });
    this.#controls.addEventListener("start", () => (this.#refit = null));
    // The context may be lost while the machine sleeps.
    this.canvas.addEventListener("webglcontextrestored", () => this.draw());
    this.scene.add(this.#camera, ...lights(this.#camera));
    new ResizeObserver(() => this.#resize()).observe(holder);
    this.#resize();
  }

  /** Whether depth has no effect on sizes. */
  set parallel(on: boolean) {
    this.#isParallel = on;
    this.draw();
  }

  /** The camera that draws. */
  get #lens(): PerspectiveCamera | OrthographicCamera {
    const [camera, parallel] = [this.#camera, this.#parallel];
    camera.updateMatrixWorld();
    if (!this.#isParallel) {
      return camera;
    }
    const half = camera.position.distanceTo(this.#controls.target) * Math.tan((ANGLE_OF_VIEW / 2) * DEGREE);
    const wide = half * camera.aspect;
    Object.assign(parallel, { left: -wide, right: wide, top: half, bottom: -half, near: 0, far: camera.far, view: camera.view });
    // What is beside the eye is drawn, too.
    parallel.position.copy(camera.position).addScaledVector(camera.getWorldDirection(new Vector3()), -camera.far / 2);
    parallel.quaternion.copy(camera.quaternion);
    parallel.updateProjectionMatrix();
    parallel.updateMatrixWorld();
    return parallel;
  }

  /** Request a frame; several requests result in one. */
  draw(): void {
    if (!this.#waiting) {
      this.#waiting = true;
      requestAnimationFrame(() => {
        this.#waiting = false;
        this.#render();
      });
    }
  }

  /** The draw calls of the last frame. */
  get calls(): number {
    return this.#renderer.info.render.calls;
  }

  /** Resolves when the last frame that was requested is drawn as it stays. */
  async rest(): Promise<void> {
    if (this.#waiting || this.#isRough) {
      await new Promise<void>((done) => this.#resting.add(done));
    }
  }

  /** Call back after each frame, until the signal is aborted. */
  onDrawn(listener: () => void, signal: AbortSignal): void {
    this.#drawn.add(listener);
    signal.addEventListener("abort", () => this.#drawn.delete(listener));
  }

  /** Call back whenever the view has moved, until the signal is aborted. */
  onMoved(listener: () => void, signal: AbortSignal): void {
    this.#moved.add(listener);
    signal.addEventListener("abort", () => this.#moved.delete(listener));
  }

  /** Reserve margins, in pixels, for overlays at the edges. */
  set margins(margins: { readonly top: number; readonly bottom: number; readonly left: number }) {
    this.#margins = margins;
    this.#resize();
  }

  theme(theme: Theme): void {
    this.scene.background = theme.scene;
    this.draw();
  }

  get view(): ViewSnapshot {
    const { position } = this.#camera;
    return { eye: position.toArray(), target: this.#controls.target.toArray(), fit: this.#refit && this.#fit };
  }

  set view({ eye, target, fit }: ViewSnapshot) {
    const now = this.view;
    if (String([now.eye, now.target]) === String([eye, target]) && now.fit?.count === fit?.count) {
      return;
    }
    this.#refit = fit && (this.#refits.get(fit.count) ?? null);
    this.#fit = fit ?? this.#fit;
    this.#shifted = [0, 0, 0];
    this.#camera.position.set(...eye);
    this.#controls.target.set(...target);
    this.#controls.update();
    this.draw();
  }

  /**
   * Fit points into the view, seen from a direction; ``size`` is the size of the model, for points that
   * (nearly) coincide; ``close`` for a part of the model. The view is fitted again when the window or the margins are resized.
   */
  fit(points: readonly Triple[], size: number, from: Triple = FIRST_VIEW, close = false): void {
    const count = ++this.#fits;
    this.#fit = { from, count };
    this.#fitInto(points, size, from, close);
    this.#refits.set(count, this.#refit!);
    this.#refits.delete(count - MOST_FITS);
  }

  #fitInto(points: readonly Triple[], size: number, from: Triple, close: boolean): void {
    this.#shifted = [0, 0, 0];
    this.#refit = () => {
      const [x, y, z] = this.#shifted;
      this.#fitInto(points.map(([a, b, c]): Triple => [a + x, b + y, c + z]), size, from, close);
    };
    const box = new Box3().setFromPoints(points.map((point) => new Vector3(...point)));
    const half = box.getSize(new Vector3()).length() / 2;
    const [radius, whole] = [Math.max(half, size / (close ? 50 : 5)), Math.max(half, size / 5)];
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const free = Math.max(1, height - this.#margins.top - this.#margins.bottom);
    const aspect = Math.max(1, width - this.#margins.left) / free;
    const slope = Math.tan((ANGLE_OF_VIEW / 2) * DEGREE) / MARGIN;
    const halfAngle = Math.atan((slope * free) / Math.max(1, height));
    const { eye, target } = fitView(points, from, { halfAngle, aspect });
    const [at, center] = [new Vector3(...eye), new Vector3(...target)];
    // Keep the distance suitable for a model of this size.
    const distance = Math.max(at.distanceTo(center), radius, close ? 0 : NEAREST * size);
    this.#camera.position.copy(center).addScaledVector(new Vector3(...from), distance);
    this.#camera.near = radius / 100;
    this.#camera.far = whole * 200;
    this.#camera.updateProjectionMatrix();
    this.#controls.minDistance = radius / 50;
    this.#controls.maxDistance = whole * 50;
    this.#controls.target.copy(center);
    this.#controls.update();
    this.draw();
  }

  /** Move the eye and its target. */
  shift([x, y, z]: Triple): void {
    for (const point of [this.#camera.position, this.#controls.target]) {
      point.add(new Vector3(x, y, z));
    }
    this.#shifted = [this.#shifted[0] + x, this.#shifted[1] + y, this.#shifted[2] + z];
    this.#controls.update();
    this.draw();
  }

  /** Draw the scene into a picture of this size, without the overlays of the page. */
  snap(context: OffscreenCanvasRenderingContext2D): void {
    this.#render(false);
    const { width, height } = context.canvas;
    const { width: w, height: h } = this.canvas;
    const factor = Math.max(width / w, height / h);
    context.drawImage(this.canvas, (width - w * factor) / 2, (height - h * factor) / 2, w * factor, h * factor);
  }

  /** Rotate the eye about its target, in steps; positive to the right and upward. */
  turn(right: number, up: number): void {
    this.#refit = null;
    const offset = this.#camera.position.clone().sub(this.#controls.target);
    const moved = orbit(offset.toArray(), right * 10 * DEGREE, up * 10 * DEGREE);
    this.#camera.position.copy(this.#controls.target).add(new Vector3(...moved));
    this.#controls.update();
  }

  /** Move the view aside, by shares of its height. */
  pan(right: number, up: number): void {
    this.#refit = null;
    const [across, upward] = this.sides(this.#controls.target.toArray());
    const step = new Vector3(...across).multiplyScalar(right).addScaledVector(new Vector3(...upward), up);
    this.#camera.position.add(step);
    this.#controls.target.add(step);
    this.#controls.update();
  }

  /** What points to the right and upward on the screen, each as long as the view is high at a point of the scene. */
  sides(point: Triple): readonly [Triple, Triple] {
    const camera = this.#camera;
    camera.updateMatrixWorld();
    const at = this.#isParallel ? this.#controls.target : new Vector3(...point);
    const depth = at.clone().sub(camera.position).dot(camera.getWorldDirection(new Vector3()));
    const height = 2 * Math.max(depth, camera.near) * Math.tan((ANGLE_OF_VIEW / 2) * DEGREE);
    const [right, up] = [0, 1].map((column) => new Vector3().setFromMatrixColumn(camera.matrixWorld, column).multiplyScalar(height));
    return [right!.toArray(), up!.toArray()];
  }

  /** Multiply the distance from the target by a factor. */
  zoom(factor: number): void {
    this.#refit = null;
    const offset = this.#camera.position.clone().sub(this.#controls.target);
    this.#camera.position.copy(this.#controls.target).addScaledVector(offset, factor);
    this.#controls.update();
  }

  /** The first hit of the objects at a point of the window. */
  hit(x: number, y: number, objects: Object3D[]): Intersection | null {
    this.#aim(x, y);
    this.scene.updateMatrixWorld();
    return this.#raycaster.intersectObjects(objects, false)[0] ?? null;
  }

  /** The ray of a point of the window, with a direction of length 1. */
  ray(x: number, y: number): Ray {
    this.#aim(x, y);
    const { origin, direction } = this.#raycaster.ray;
    return { origin: origin.toArray(), direction: direction.toArray() };
  }

  /** The point at a window position with the same depth as a point of the scene. */
  beside(x: number, y: number, point: Triple): Triple {
    this.#aim(x, y);
    const at = new Vector3(...point);
    const across = this.#camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(across, at);
    return (this.#raycaster.ray.intersectPlane(plane, new Vector3()) ?? at).toArray();
  }

  /** The canvas position of a point of the scene, in pixels; null behind the eye. */
  project(point: Triple): readonly [number, number] | null {
    const { x, y, z } = new Vector3(...point).project(this.#lens);
    const { clientWidth, clientHeight } = this.canvas;
    return z < 1 ? [((x + 1) / 2) * clientWidth, ((1 - y) / 2) * clientHeight] : null;
  }

  #aim(x: number, y: number): void {
    const frame = this.canvas.getBoundingClientRect();
    const point = new Vector2(
      ((x - frame.left) / frame.width) * 2 - 1,
      1 - ((y - frame.top) / frame.height) * 2,
    );
    this.#raycaster.setFromCamera(point, this.#lens);
  }

  /** Draw a frame; without smooth edges if it is one of many, and they would be slow. */
  #render(quick = this.#moving !== null): void {
    const begin = performance.now();
    this.#moving?.abort();
    this.#moving = this.#smooth.isSlow ? this.#calm() : null;
    this.#isRough = quick;
    this.before?.(this.#renderer);
    this.#renderer.info.reset();
    if (quick) {
      this.#smooth.drawMoving(this.scene, this.#lens, this.#lag);
    } else {
      this.#smooth.draw(this.scene, this.#lens);
    }
    this.spent = performance.now() - begin;
    this.#drawn.forEach((listener) => listener());
    if (!quick && !this.#waiting) {
      this.#resting.forEach((done) => done());
      this.#resting.clear();
    }
  }

  /** Wait until a frame has been on the screen for a while; then it is drawn again if its edges are rough. */
  #calm(): AbortController {
    const ended = new AbortController();
    const begin = performance.now();
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        this.#lag = (performance.now() - begin) / 2;
        if (ended.signal.aborted) {
          return;
        }
        const timer = setTimeout(() => {
          this.#moving = null;
          if (this.#isRough) {
            this.#render(false);
          }
        }, MOVING);
        ended.signal.addEventListener("abort", () => clearTimeout(timer));
      }),
    );
    return ended;
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.holder;
    const [width, height] = [Math.max(1, clientWidth), Math.max(1, clientHeight)];
    const ratio = Math.min(devicePixelRatio, 2);
    const size = [width, height, ratio].join();
    const other = size !== this.#size;
    if (other) {
      this.#size = size;
      this.#renderer.setPixelRatio(ratio);
      this.#renderer.setSize(width, height);
      this.#smooth.resize(this.canvas.width, this.canvas.height);
    }
    this.#camera.aspect = width / height;
    const { top, bottom, left } = this.#margins;
    this.#camera.setViewOffset(width, height, -left / 2, (bottom - top) / 2, width, height);
    this.#refit?.();
    if (other) {
      // Resizing clears the canvas: render immediately to avoid flicker.
      this.#render(false);
    } else {
      this.draw();
    }
  }
}

function makeRenderer(): WebGLRenderer {
  try {
    return new WebGLRenderer();
  } catch {
    throw new Error("WebGL 2 is unavailable: use a browser that supports it, or enable graphics acceleration.");
  }
}

/**
 * The light of a room, and a directional light at the camera so that no view is dark.
 *
 * The numbers are the spherical harmonics of three.js' RoomEnvironment (by its LightProbeGenerator), Z up, turned
 * so that its window is in front of the robot and to its left. They take less time than a picture of the room.
 */
function lights(camera: PerspectiveCamera): Object3D[] {
  const lamp = new DirectionalLight(0xffffff, 1.7);
  lamp.position.set(-0.5, 0.7, 1);
  camera.add(lamp, lamp.target);
  const room = new LightProbe(undefined, 0.45);
  room.sh.coefficients.forEach((each, index) => each.setScalar(ROOM[index]!));
  return [room];
}
