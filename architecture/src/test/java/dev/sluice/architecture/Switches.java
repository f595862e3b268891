package dev.sluice.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.util.List;
import java.util.stream.Stream;

/**
 * Looks for {@code switch} in byte code, where two traces are left: a call that the JDK's {@code
 * SwitchBootstraps} links, which takes what is switched on (patterns), and a table named after the
 * enum (constants).
 */
final class Switches {

  private static final List<String> STATES =
      List.of("dev/sluice/lifecycle/ClusterState", "dev/sluice/lifecycle/ProxyState");

  private Switches() {}

  /** Whether some method of a class switches on the state of a cluster or of the proxy. */
  static boolean areOnLifecycleStates(JavaClass owner) {
    return model(owner).methods().stream()
        .flatMap(Switches::code)
        .anyMatch(Switches::isSwitchOnState);
  }

  private static boolean isSwitchOnState(CodeElement element) {
    return switch (element) {
      case InvokeDynamicInstruction call ->
          call.bootstrapMethod().owner().displayName().equals("SwitchBootstraps")
              && STATES.stream()
                  .anyMatch(call.typeSymbol().parameterType(0).descriptorString()::contains);
      case FieldInstruction field ->
          STATES.stream()
              .anyMatch(
                  state ->
                      field
                          .name()
                          .stringValue()
                          .startsWith("$SwitchMap$" + state.replace('/', '$')));
      default -> false;
    };
  }

  private static Stream<CodeElement> code(MethodModel method) {
    return method.code().stream().flatMap(code -> code.elementStream());
  }

  private static ClassModel model(JavaClass owner) {
    var uri = owner.getSource().orElseThrow().getUri();
    try (var file = uri.toURL().openStream()) {
      return ClassFile.of().parse(file.readAllBytes());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
