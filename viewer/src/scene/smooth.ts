// Smooth edges. Without graphics acceleration the processor draws, and pixels are what takes time: what moves is drawn
// without smooth edges, and in fewer pixels once its frames come too slowly.

import {
  type Camera,
  GLSL3,
  LinearFilter,
  RawShaderMaterial,
  type Scene,
  SRGBColorSpace,
  UnsignedByteType,
  type WebGLRenderer,
  WebGLRenderTarget,
} from "three";
import { FullScreenQuad } from "three/addons/postprocessing/Pass.js";

// Samples of a pixel.
const SAMPLES = 4;
// Width and height of a coarse picture, as a share of the canvas.
const COARSE = 0.6;
// What takes longer, in ms, is drawn coarsely until it rests.
const SLOW = 40;
/** Words in the names of renderers that run on the processor. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|basic render|software/i;

export class Smooth {
  /** Whether the processor draws. */
  readonly isSlow: boolean;
  readonly #fine = target(SAMPLES);
  readonly #coarse = target(0);
  /** Whether what moves is drawn in fewer pixels. */
  #isCoarse = false;
  readonly #copy: FullScreenQuad;
  readonly #uniforms = { image: { value: this.#fine.texture }, width: { value: 1 }, height: { value: 1 } };

  constructor(private readonly renderer: WebGLRenderer) {
    const gl = renderer.getContext();
    const known = gl.getExtension("WEBGL_debug_renderer_info");
    this.isSlow = SOFTWARE.test(String(gl.getParameter(known ? known.UNMASKED_RENDERER_WEBGL : gl.RENDERER)));
    this.#copy = new FullScreenQuad(
      new RawShaderMaterial({
        glslVersion: GLSL3,
        depthTest: false,
        depthWrite: false,
        uniforms: this.#uniforms,
        vertexShader: "in vec3 position; void main() { gl_Position = vec4(position, 1.0); }",
        fragmentShader: `precision highp float;
          uniform sampler2D image;
          uniform float width, height;
          out vec4 color;
          void main() { color = vec4(texture(image, gl_FragCoord.xy / vec2(width, height)).rgb, 1.0); }`,
      }),
    );
  }

  /** Set the size in pixels. */
  resize(width: number, height: number): void {
    this.#fine.setSize(width, height);
    this.#coarse.setSize(Math.ceil(COARSE * width), Math.ceil(COARSE * height));
    [this.#uniforms.width.value, this.#uniforms.height.value] = [width, height];
  }

  /** Draw with smooth edges. */
  draw(scene: Scene, camera: Camera): void {
    this.#isCoarse = false;
    this.#through(this.#fine, scene, camera);
  }

  /** Draw one of many frames, each of which takes so many ms. */
  drawMoving(scene: Scene, camera: Camera, lag: number): void {
    this.#isCoarse ||= lag > SLOW;
    if (this.#isCoarse) {
      this.#through(this.#coarse, scene, camera);
    } else {
      this.renderer.render(scene, camera);
    }
  }

  #through(target: WebGLRenderTarget, scene: Scene, camera: Camera): void {
    const { renderer } = this;
    renderer.setRenderTarget(target);
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    this.#uniforms.image.value = target.texture;
    this.#copy.render(renderer);
  }
}

/** A picture with the colors of the screen, so that what is translucent looks the same as drawn there. */
function target(samples: number): WebGLRenderTarget {
  const made = new WebGLRenderTarget(1, 1, { samples, type: UnsignedByteType, minFilter: LinearFilter, magFilter: LinearFilter });
  made.texture.colorSpace = SRGBColorSpace;
  made.texture.internalFormat = "RGBA8";
  return Object.assign(made, { isXRRenderTarget: true });
}
