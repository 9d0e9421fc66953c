"""xacro, the macro language of ROS for XML: includes, properties, macros and conditions."""
