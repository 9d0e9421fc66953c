// The shadow of the robots on the ground, soft where they are high above it; drawn anew only when they move.

import {
  type Box3,
  type Color,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  PlaneGeometry,
  type Scene,
  ShaderMaterial,
  Vector2,
  type WebGLRenderer,
  WebGLRenderTarget,
} from "three";
import { FullScreenQuad } from "three/addons/postprocessing/Pass.js";
import { CASTS } from "./shapes";

// Width and height of the picture of the shadow in pixels.
const PIXELS = 256;
// Margin around the robots, and the height up to which they cast a shadow, as shares of their size.
const [MARGIN, HEIGHT] = [0.12, 0.5];
const BLUR = 3.2;
const DARKNESS = 0.55;

const THROUGH = "varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }";

export class Shadow {
  readonly object: Mesh<PlaneGeometry, MeshBasicMaterial>;
  /** How often it was drawn. */
  count = 0;
  #stale = true;
  #place: { readonly box: Box3; readonly ground: number } | null = null;
  readonly #camera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
  readonly #targets = [0, 1].map(() => new WebGLRenderTarget(PIXELS, PIXELS)) as [WebGLRenderTarget, WebGLRenderTarget];
  /** How near the ground is below each point, seen from below. */
  readonly #near = new ShaderMaterial({
    side: DoubleSide,
    vertexShader: "void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
    fragmentShader: "void main() { float near = 1.0 - gl_FragCoord.z; gl_FragColor = vec4(vec3(0.0), near * near); }",
  });
  readonly #blur = new ShaderMaterial({
    depthTest: false,
    uniforms: { image: { value: null }, step: { value: new Vector2() } },
    vertexShader: THROUGH,
    fragmentShader: `uniform sampler2D image; uniform vec2 step; varying vec2 at;
      void main() {
        float sum = 0.0; float weights = 0.0;
        for (int i = -6; i <= 6; i++) {
          float weight = exp(-0.055 * float(i * i));
          sum += weight * texture2D(image, at + float(i) / 6.0 * step).a;
          weights += weight;
        }
        gl_FragColor = vec4(0.0, 0.0, 0.0, sum / weights);
      }`,
  });
  readonly #quad = new FullScreenQuad(this.#blur);

  constructor() {
    const material = new MeshBasicMaterial({
      map: this.#targets[0].texture, transparent: true, depthWrite: false, opacity: DARKNESS,
      polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -4,
    });
    this.object = new Mesh(new PlaneGeometry(1, 1), material);
    this.object.renderOrder = -1;
    this.object.visible = false;
  }

  /** The robots have moved: the box around them, and the height of the ground. */
  put(box: Box3, ground: number): void {
    this.#place = box.isEmpty() ? null : { box, ground };
    this.#stale = true;
  }

  /** The shadow is weaker on a dark ground. */
  theme({ scene }: { readonly scene: Color }): void {
    this.object.material.opacity = scene.getHSL({ h: 0, s: 0, l: 0 }).l < 0.3 ? 0.8 * DARKNESS : DARKNESS;
  }

  /** Draw the shadow if something has moved. */
  draw(renderer: WebGLRenderer, scene: Scene): void {
    if (!this.#stale || !this.#place) {
      return;
    }
    this.#stale = false;
    this.count += 1;
    const { box, ground } = this.#place;
    const size = box.min.distanceTo(box.max);
    const half = 0.5 * Math.max(box.max.x - box.min.x, box.max.y - box.min.y) + MARGIN * size;
    const [x, y] = [0.5 * (box.min.x + box.max.x), 0.5 * (box.min.y + box.max.y)];
    Object.assign(this.#camera, { left: -half, right: half, top: half, bottom: -half, near: 0, far: HEIGHT * size });
    // Seen from below, with Y up in the picture and X to the left.
    this.#camera.position.set(x, y, ground - 1e-3 * size);
    this.#camera.up.set(0, 1, 0);
    this.#camera.lookAt(x, y, ground + 1);
    this.#camera.updateProjectionMatrix();
    this.#camera.updateMatrixWorld(true);
    this.#camera.layers.set(CASTS);
    this.object.position.set(x, y, ground);
    this.object.scale.set(-2 * half, 2 * half, 1);
    this.object.material.side = DoubleSide;
    this.object.updateMatrixWorld();
    const { background, overrideMaterial } = scene;
    const alpha = renderer.getClearAlpha();
    [scene.background, scene.overrideMaterial] = [null, this.#near];
    renderer.setClearAlpha(0);
    renderer.setRenderTarget(this.#targets[0]);
    renderer.clear();
    renderer.render(scene, this.#camera);
    [scene.background, scene.overrideMaterial] = [background, overrideMaterial];
    for (const [from, to, across] of [[0, 1, 1], [1, 0, 0]] as const) {
      this.#blur.uniforms["image"]!.value = this.#targets[from].texture;
      (this.#blur.uniforms["step"]!.value as Vector2).set(across, 1 - across).multiplyScalar((2 * BLUR) / PIXELS);
      renderer.setRenderTarget(this.#targets[to]);
      renderer.clear();
      this.#quad.render(renderer);
    }
    renderer.setRenderTarget(null);
    renderer.setClearAlpha(alpha);
    this.object.visible = true;
  }

  dispose(): void {
    this.#targets.forEach((target) => target.dispose());
    [this.#near, this.#blur, this.object.material].forEach((material) => material.dispose());
    this.#quad.dispose();
  }
}
