# Sourced by the programs here. class_path MODULE SCOPE prints the class path of a module, built first where it is not
# built or older than its sources; SCOPE is runtime, or test for the module's test classes too.
here=$(cd "$(dirname "$0")/../.." && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

class_path() {
  module=$1
  scope=$2
  list=$here/$module/target/$scope-classpath.txt
  if [ ! -f "$list" ] || [ -n "$(find "$here"/pom.xml "$here"/*/pom.xml "$here"/*/src -newer "$list" -type f -print 2>/dev/null | head -n 1)" ]; then
    echo "building $module ..." >&2
    (cd "$here" && ./mvnw -B -q -Dspotless.check.skip=true -pl "$module" -am test-compile \
      dependency:build-classpath -Dmdep.includeScope="$scope" -Dmdep.outputFile="target/$scope-classpath.txt") >&2
    touch "$list" # left alone where it would be the same
  fi
  if [ "$scope" = test ]; then
    printf '%s:' "$here/$module/target/test-classes"
  fi
  printf '%s:%s' "$here/$module/target/classes" "$(cat "$list")"
}
