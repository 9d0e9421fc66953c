"""Small SDF models for tests and the fuzzer."""

from __future__ import annotations

from collections.abc import Mapping

SAMPLES: Mapping[str, str] = {
    "arm.sdf": """\
<sdf version="1.11">
  <model name="arm">
    <frame name="desk" attached_to="base">
      <pose>0 0 0.1 0 0 0</pose>
    </frame>
    <link name="base">
      <inertial>
        <mass>2</mass>
        <inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia>
      </inertial>
      <collision name="foot">
        <geometry><box><size>0.2 0.2 0.1</size></box></geometry>
      </collision>
    </link>
    <link name="upper">
      <pose relative_to="shoulder"/>
      <inertial>
        <pose>0 0 0.2 0 0 0</pose>
        <mass>1</mass>
        <inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia>
      </inertial>
      <visual name="tube">
        <pose>0 0 0.2 0 0 0</pose>
        <geometry><cylinder><radius>0.05</radius><length>0.4</length></cylinder></geometry>
        <material><diffuse>0.8 0.1 0.1 1</diffuse></material>
      </visual>
      <sensor name="eye" type="camera">
        <pose relative_to="desk">0 0 0.5 0 0 0</pose>
        <camera><horizontal_fov>1.2</horizontal_fov></camera>
      </sensor>
    </link>
    <joint name="shoulder" type="revolute">
      <pose relative_to="desk"/>
      <parent>base</parent>
      <child>upper</child>
      <axis>
        <xyz expressed_in="__model__">0 1 0</xyz>
        <limit><lower>-1.5</lower><upper>1.5</upper><effort>20</effort></limit>
      </axis>
    </joint>
    <plugin name="control" filename="libcontrol.so"><gain>3</gain></plugin>
  </model>
</sdf>
""",
    "two.sdf": """\
<sdf version="1.6">
  <world name="room">
    <gravity>0 0 -9.8</gravity>
    <model name="wall">
      <static>true</static>
      <link name="stone">
        <collision name="face">
          <geometry><plane><normal>0 1 0</normal></plane></geometry>
        </collision>
      </link>
    </model>
    <model name="cart">
      <pose frame="wall">0 1 0 0 0 0</pose>
      <link name="body"/>
      <link name="wheel">
        <pose>0.2 0 0 0 0 0</pose>
      </link>
      <joint name="axle" type="continuous">
        <parent>body</parent>
        <child>wheel</child>
        <axis><xyz>0 1 0</xyz><use_parent_model_frame>1</use_parent_model_frame></axis>
      </joint>
    </model>
  </world>
</sdf>
""",
}
