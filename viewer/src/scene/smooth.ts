// Smooth edges. Without graphics acceleration they take half of the time of a frame: what moves is drawn without.

import {
  type Camera,
  GLSL3,
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
/** Words in the names of renderers that run on the processor. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|basic render|software/i;

export class Smooth {
  /** Whether the processor draws. */
  readonly isSlow: boolean;
  readonly #target: WebGLRenderTarget;
  readonly #copy: FullScreenQuad;

  constructor(private readonly renderer: WebGLRenderer) {
    const gl = renderer.getContext();
    const known = gl.getExtension("WEBGL_debug_renderer_info");
    this.isSlow = SOFTWARE.test(String(gl.getParameter(known ? known.UNMASKED_RENDERER_WEBGL : gl.RENDERER)));
    this.#target = new WebGLRenderTarget(1, 1, { samples: SAMPLES, type: UnsignedByteType });
    // Colors as on the screen, so that what is translucent looks the same in both ways.
    this.#target.texture.colorSpace = SRGBColorSpace;
    this.#target.texture.internalFormat = "RGBA8";
    Object.assign(this.#target, { isXRRenderTarget: true });
    this.#copy = new FullScreenQuad(
      new RawShaderMaterial({
        glslVersion: GLSL3,
        depthTest: false,
        depthWrite: false,
        uniforms: { image: { value: this.#target.texture } },
        vertexShader: "in vec3 position; void main() { gl_Position = vec4(position, 1.0); }",
        fragmentShader: `precision highp float;
          uniform sampler2D image;
          out vec4 color;
          void main() { color = vec4(texelFetch(image, ivec2(gl_FragCoord.xy), 0).rgb, 1.0); }`,
      }),
    );
  }

  /** Set the size in pixels. */
  resize(width: number, height: number): void {
    this.#target.setSize(width, height);
  }

  /** Draw with smooth edges, or quickly. */
  draw(scene: Scene, camera: Camera, quick: boolean): void {
    const { renderer } = this;
    if (quick) {
      renderer.render(scene, camera);
      return;
    }
    renderer.setRenderTarget(this.#target);
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    this.#copy.render(renderer);
  }
}
