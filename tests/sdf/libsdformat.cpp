// Prints what libsdformat makes of a file, as JSON of the kind that truth.py compares with.

#include <cmath>
#include <iostream>
#include <sstream>
#include <string>
#include <type_traits>

#include <sdf/sdf.hh>

using Pose = std::decay_t<decltype(std::declval<sdf::Link>().RawPose())>;
using Vector = std::decay_t<decltype(std::declval<sdf::JointAxis>().Xyz())>;

static std::string text(const std::string &value)
{
  std::ostringstream out;
  out << '"';
  for (unsigned char c : value)
  {
    if (c == '"' || c == '\\')
      out << '\\' << c;
    else if (c < 0x20)
      out << ' ';
    else
      out << c;
  }
  out << '"';
  return out.str();
}

static std::string number(double value)
{
  if (std::isnan(value))
    return "\"nan\"";
  if (std::isinf(value))
    return value > 0 ? "\"inf\"" : "\"-inf\"";
  std::ostringstream out;
  out.precision(17);
  out << value;
  return out.str();
}

static std::string row(std::initializer_list<double> values)
{
  std::string out;
  for (double value : values)
    out += (out.empty() ? "[" : ",") + number(value);
  return out + "]";
}

static std::string vector(const Vector &v)
{
  return row({v.X(), v.Y(), v.Z()});
}

static std::string pose(const Pose &x)
{
  return row({x.Pos().X(), x.Pos().Y(), x.Pos().Z(), x.Rot().W(), x.Rot().X(), x.Rot().Y(), x.Rot().Z()});
}

// The pose of an item in a frame of its scope, by default where its kind is given; an object for an error.
template <typename Item>
static std::string resolved(const Item &item, const std::string &in = "")
{
  Pose out;
  const auto errors = item.SemanticPose().Resolve(out, in);
  return errors.empty() ? pose(out) : "{\"error\":" + text(errors[0].Message()) + "}";
}

template <typename Function>
static std::string list(uint64_t count, Function function)
{
  std::string out = "[";
  for (uint64_t i = 0; i < count; ++i)
    out += (i ? ",\n" : "") + function(i);
  return out + "]";
}

static std::string geometry(const sdf::Geometry &of)
{
  const auto element = of.Element();
  const auto first = element ? element->GetFirstElement() : nullptr;
  std::string out = "{\"type\":" + text(first ? first->GetName() : "empty");
  if (const auto box = of.BoxShape())
    out += ",\"size\":" + vector(box->Size());
  if (const auto sphere = of.SphereShape())
    out += ",\"radius\":" + number(sphere->Radius());
  if (const auto cylinder = of.CylinderShape())
    out += ",\"radius\":" + number(cylinder->Radius()) + ",\"length\":" + number(cylinder->Length());
  if (const auto capsule = of.CapsuleShape())
    out += ",\"radius\":" + number(capsule->Radius()) + ",\"length\":" + number(capsule->Length());
  if (const auto ellipsoid = of.EllipsoidShape())
    out += ",\"radii\":" + vector(ellipsoid->Radii());
  if (const auto plane = of.PlaneShape())
    out += ",\"normal\":" + vector(plane->Normal());
  if (const auto mesh = of.MeshShape())
    out += ",\"uri\":" + text(mesh->Uri()) + ",\"scale\":" + vector(mesh->Scale()) +
           ",\"submesh\":" + text(mesh->Submesh());
  return out + "}";
}

template <typename Shape>
static std::string shape(const Shape &of)
{
  return "{\"name\":" + text(of.Name()) + ",\"X\":" + resolved(of) + ",\"geometry\":" + geometry(*of.Geom());
}

static std::string collision(const sdf::Collision &of)
{
  auto at = of.Element();
  for (const char *name : {"surface", "friction", "ode", "mu"})
    at = at && at->HasElement(name) ? at->GetElement(name) : nullptr;
  return shape(of) + (at ? ",\"mu\":" + number(at->Get<double>()) : "") + "}";
}

static std::string visual(const sdf::Visual &of)
{
  std::string out = shape(of);
  if (const auto material = of.Material())
  {
    const auto c = material->Diffuse();
    out += ",\"material\":{\"diffuse\":" + row({c.R(), c.G(), c.B(), c.A()}) + "}";
  }
  return out + "}";
}

static std::string sensor(const sdf::Sensor &of)
{
  std::string out = "{\"name\":" + text(of.Name()) + ",\"type\":" + text(of.TypeStr()) + ",\"X\":" + resolved(of);
  out += ",\"rate\":" + number(of.UpdateRate());
  if (const auto camera = of.CameraSensor())
  {
    out += ",\"camera\":{\"hfov\":" + number(camera->HorizontalFov().Radian());
    out += ",\"width\":" + number(camera->ImageWidth()) + ",\"height\":" + number(camera->ImageHeight());
    out += ",\"near\":" + number(camera->NearClip()) + ",\"far\":" + number(camera->FarClip());
    out += ",\"raw_pose\":" + pose(camera->RawPose()) + "}";
  }
  if (const auto lidar = of.LidarSensor())
  {
    out += ",\"lidar\":{\"h\":";
    out += row({double(lidar->HorizontalScanSamples()), lidar->HorizontalScanResolution(),
                lidar->HorizontalScanMinAngle().Radian(), lidar->HorizontalScanMaxAngle().Radian()});
    out += ",\"v\":";
    out += row({double(lidar->VerticalScanSamples()), lidar->VerticalScanResolution(),
                lidar->VerticalScanMinAngle().Radian(), lidar->VerticalScanMaxAngle().Radian()});
    out += ",\"range\":" + row({lidar->RangeMin(), lidar->RangeMax(), lidar->RangeResolution()}) + "}";
  }
  return out + "}";
}

static std::string link(const sdf::Link &of)
{
  const auto inertial = of.Inertial();
  const auto moment = inertial.Moi();
  std::string out = "{\"name\":" + text(of.Name()) + ",\"X\":" + resolved(of);
  out += ",\"m\":" + number(inertial.MassMatrix().Mass()) + ",\"inertial_pose\":" + pose(inertial.Pose());
  out += ",\"I\":" + row({moment(0, 0), moment(0, 1), moment(0, 2), moment(1, 0), moment(1, 1), moment(1, 2),
                          moment(2, 0), moment(2, 1), moment(2, 2)});
  out += ",\"visuals\":" + list(of.VisualCount(), [&](auto i) { return visual(*of.VisualByIndex(i)); });
  out += ",\"collisions\":" + list(of.CollisionCount(), [&](auto i) { return collision(*of.CollisionByIndex(i)); });
  out += ",\"sensors\":" + list(of.SensorCount(), [&](auto i) { return sensor(*of.SensorByIndex(i)); });
  out += ",\"lights\":" + list(of.LightCount(), [&](auto i) {
    const auto light = of.LightByIndex(i);
    return "{\"name\":" + text(light->Name()) + ",\"X\":" + resolved(*light) + "}";
  });
  return out + "}";
}

static std::string axis(const sdf::JointAxis *of)
{
  if (!of)
    return "null";
  Vector along;
  const auto errors = of->ResolveXyz(along);
  std::string out = "{\"a\":" + (errors.empty() ? vector(along) : text(errors[0].Message()));
  out += ",\"lower\":" + number(of->Lower()) + ",\"upper\":" + number(of->Upper());
  out += ",\"effort\":" + number(of->Effort()) + ",\"velocity\":" + number(of->MaxVelocity());
  out += ",\"damping\":" + number(of->Damping()) + ",\"friction\":" + number(of->Friction());
  out += ",\"spring_reference\":" + number(of->SpringReference());
  out += ",\"spring_stiffness\":" + number(of->SpringStiffness());
  return out + "}";
}

static std::string joint(const sdf::Joint &of)
{
  const auto element = of.Element();
  std::string parent, child;
  const bool resolves = of.ResolveParentLink(parent).empty() && of.ResolveChildLink(child).empty();
  std::string out = "{\"name\":" + text(of.Name()) + ",\"type\":" + text(element->Get<std::string>("type"));
  out += ",\"parent\":" + text(element->Get<std::string>("parent"));
  out += ",\"child\":" + text(element->Get<std::string>("child"));
  out += ",\"parent_link\":" + text(resolves ? parent : "") + ",\"child_link\":" + text(resolves ? child : "");
  out += ",\"X_MJ\":" + resolved(of, "__model__");
  out += ",\"axis\":" + axis(of.Axis(0)) + ",\"axis2\":" + axis(of.Axis(1));
  if (element->HasElement("thread_pitch"))
    out += ",\"screw_thread_pitch\":" + number(-2.0 * M_PI / element->Get<double>("thread_pitch"));
  out += ",\"sensors\":" + list(of.SensorCount(), [&](auto i) { return sensor(*of.SensorByIndex(i)); });
  return out + "}";
}

static std::string model(const sdf::Model &of)
{
  Pose at = of.RawPose();
  if (!of.SemanticPose().Resolve(at).empty())
    at = of.RawPose();
  std::string out = "{\"name\":" + text(of.Name()) + ",\"static\":" + (of.Static() ? "true" : "false");
  out += ",\"X\":" + pose(at);
  out += ",\"links\":" + list(of.LinkCount(), [&](auto i) { return link(*of.LinkByIndex(i)); });
  out += ",\"joints\":" + list(of.JointCount(), [&](auto i) { return joint(*of.JointByIndex(i)); });
  out += ",\"frames\":" + list(of.FrameCount(), [&](auto i) {
    const auto frame = of.FrameByIndex(i);
    std::string body;
    const auto errors = frame->ResolveAttachedToBody(body);
    return "{\"name\":" + text(frame->Name()) + ",\"body\":" + text(errors.empty() ? body : "") +
           ",\"X\":" + resolved(*frame, "__model__") + "}";
  });
  out += ",\"models\":" + list(of.ModelCount(), [&](auto i) { return model(*of.ModelByIndex(i)); });
  return out + "}";
}

int main(int, char **argv)
{
  sdf::Root root;
  const auto errors = root.Load(argv[1]);
  std::cout << "{\"loader\":\"libsdformat " SDF_VERSION_FULL "\",\"errors\":";
  std::cout << list(errors.size(), [&](auto i) {
    return "[" + std::to_string(int(errors[i].Code())) + "," + text(errors[i].Message()) + "]";
  });
  std::cout << ",\n\"model\":" << (root.Model() ? model(*root.Model()) : "null") << ",\n\"worlds\":";
  std::cout << list(root.WorldCount(), [&](auto i) {
    const auto world = root.WorldByIndex(i);
    return "{\"name\":" + text(world->Name()) + ",\"models\":" +
           list(world->ModelCount(), [&](auto k) { return model(*world->ModelByIndex(k)); }) + "}";
  });
  std::cout << "}" << std::endl;
}
